//! Lines of configuration mode. As on IOS each takes effect before the next one is read.

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::Network;
use netconfarena_emu::ospf::OspfProcess;
use netconfarena_emu::router::Router;

use super::{Level, Session, alias};
use crate::config::{Complaint, ConfigMode, Editor, Request, RunningOspf};

impl Session {
    /// `configure terminal`.
    pub(super) fn enter_configuration(&mut self) {
        self.mode = Some(ConfigMode::Global);
    }

    /// Leaves configuration mode, if the session is in it; the log says so.
    pub(super) fn leave_configuration(&mut self, network: &mut Network) {
        if self.mode.take().is_some() {
            let now = network.now();
            let holds = network.router(self.node).configuration_lock() == Some(self.place().as_str());
            if holds {
                network.router_mut(self.node).lock_configuration(None);
            }
            let event = LogEvent::Configured { source: self.source.clone() };
            network.router_mut(self.node).write_log(now, event);
        }
    }

    /// The terminal is gone: what was half done is given up.
    pub fn hang_up(&mut self, network: &mut Network) {
        self.close_connections(network);
        self.abandon();
        self.leave_configuration(network);
        self.close();
    }

    /// Gives up a question or the text of a banner.
    pub(super) fn abandon(&mut self) {
        self.question = None;
        if let Some(mode @ ConfigMode::Banner { .. }) = &mut self.mode {
            *mode = ConfigMode::Global;
        }
    }

    /// Runs a line of configuration mode.
    pub(super) fn configure(
        &mut self,
        network: &mut Network,
        line: &str,
        text: &mut String,
    ) -> Result<(), Complaint> {
        let Some(mut mode) = self.mode.take() else { return Ok(()) };
        let router = network.router(self.node);
        let expanded = alias::expand_configuration(router.config(), &mode, line);
        let line = expanded.as_deref().unwrap_or(line);
        let running = running_ospf(router);
        let mut config = RouterConfig::clone(router.config());
        let mut editor = Editor { running_ospf: &running, ..Editor::new(&mut config, &mut mode) };
        let result = editor.apply(line);
        text.push_str(&editor.said);
        let request = editor.request.take();
        self.mode = Some(mode);
        if config != **router.config() {
            network.configure(self.node, config);
        }
        result?;
        match request {
            None => Ok(()),
            Some(Request::HostKey(modulus)) => {
                network.router_mut(self.node).set_host_key(modulus);
                Ok(())
            }
            Some(Request::Leave) => {
                self.leave_configuration(network);
                Ok(())
            }
            Some(Request::Execute(command)) => {
                let from = line.trim_end().len().saturating_sub(command.len());
                self.execute_within(network, line, from, text)
            }
        }
    }

    /// `do COMMAND`: it is run as in privileged exec mode, and the session stays where it is.
    fn execute_within(
        &mut self,
        network: &mut Network,
        line: &str,
        from: usize,
        text: &mut String,
    ) -> Result<(), Complaint> {
        let mode = self.mode.clone();
        let result = self.exec(network, line, from, text);
        (self.mode, self.level, self.closed) = (mode, Level::PRIVILEGED, false);
        result
    }
}

/// The OSPF processes that run.
fn running_ospf(router: &Router) -> Vec<RunningOspf> {
    let processes = router.config().ospf.keys().filter_map(|&number| router.ospf(number));
    let running = |process: &OspfProcess| RunningOspf {
        process: process.process_id,
        router_id: process.router_id,
        has_neighbors: process.interfaces.values().any(|interface| !interface.neighbors.is_empty()),
    };
    processes.map(running).collect()
}

/// Where the exec command begins in a line of configuration mode that begins with `do`.
pub(super) fn exec_part(line: &str) -> Option<usize> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..)?;
    let word = rest.split_ascii_whitespace().next()?;
    let behind = start + word.len();
    (word.eq_ignore_ascii_case("do") && line.get(behind..)?.starts_with([' ', '\t'])).then_some(behind + 1)
}
