//! FRR routers, one network namespace each, that live as long as their [`FrrNetwork`].

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, fs, io, thread};

/// Where Debian puts FRR's daemons.
const DAEMON_DIR: &str = "/usr/lib/frr";

/// Tells apart the networks that one process runs.
static SERIAL: AtomicU32 = AtomicU32::new(0);

/// What went wrong with FRR or the namespaces.
#[derive(Debug)]
pub enum FrrError {
    /// FRR, iproute2 or root is missing: what to do about it.
    Unavailable(String),
    /// A command failed.
    Command {
        /// The command line.
        line: String,
        /// What it printed.
        output: String,
    },
    /// A file or socket failed.
    Io(PathBuf, io::Error),
    /// FRR refused lines of a configuration.
    Refused {
        /// The router.
        router: String,
        /// FRR's complaint.
        complaint: String,
    },
    /// There is no such router.
    UnknownRouter(String),
    /// A daemon's answer was not JSON.
    NotJson {
        /// What was asked.
        command: String,
        /// The beginning of the answer.
        answer: String,
    },
}

impl fmt::Display for FrrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(fix) => f.write_str(fix),
            Self::Command { line, output } => write!(f, "`{line}` failed: {output}"),
            Self::Io(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Refused { router, complaint } => {
                write!(f, "FRR refused the configuration of {router}: {complaint}")
            }
            Self::UnknownRouter(name) => write!(f, "no FRR router is called {name}"),
            Self::NotJson { command, answer } => write!(f, "FRR answered `{command}` with no JSON: {answer}"),
        }
    }
}

impl std::error::Error for FrrError {}

/// A daemon of FRR.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Daemon {
    /// Routing table and interfaces; always runs.
    Zebra,
    /// Static routes.
    Staticd,
    /// OSPFv2.
    Ospfd,
    /// BGP.
    Bgpd,
    /// RIP.
    Ripd,
    /// EIGRP.
    Eigrpd,
}

impl Daemon {
    const ALL: [Self; 6] = [Self::Zebra, Self::Staticd, Self::Ospfd, Self::Bgpd, Self::Ripd, Self::Eigrpd];

    const fn name(self) -> &'static str {
        match self {
            Self::Zebra => "zebra",
            Self::Staticd => "staticd",
            Self::Ospfd => "ospfd",
            Self::Bgpd => "bgpd",
            Self::Ripd => "ripd",
            Self::Eigrpd => "eigrpd",
        }
    }

    /// Whether a configuration asks for this daemon.
    fn wanted_by(self, config: &str) -> bool {
        let head = match self {
            Self::Zebra => return true,
            Self::Staticd => "ip route ",
            Self::Ospfd => "router ospf",
            Self::Bgpd => "router bgp",
            Self::Ripd => "router rip",
            Self::Eigrpd => "router eigrp",
        };
        config.lines().any(|line| line.starts_with(head))
    }
}

/// A router to run.
#[derive(Clone, Debug)]
pub struct FrrRouter {
    /// Its name, unique in the network; letters and digits.
    pub name: String,
    /// frr.conf.
    pub config: String,
    /// Extra interfaces with nothing behind them, which stand in for loopbacks.
    pub stubs: Vec<String>,
}

/// A point-to-point Ethernet cable between two routers' interfaces.
#[derive(Clone, Debug)]
pub struct FrrCable {
    /// Router and interface of the two ends.
    pub ends: [(String, String); 2],
}

/// One router as it runs.
#[derive(Debug)]
struct Running {
    namespace: String,
    run_dir: PathBuf,
    daemons: Vec<Daemon>,
}

/// FRR routers in namespaces. Dropping it ends the daemons and removes the namespaces and files.
#[derive(Debug)]
pub struct FrrNetwork {
    routers: BTreeMap<String, Running>,
    base: PathBuf,
}

/// Says what is missing on this machine, if anything.
///
/// # Errors
/// [`FrrError::Unavailable`] with the fix.
pub fn require() -> Result<(), FrrError> {
    if !Path::new(DAEMON_DIR).join("ospfd").exists() {
        return Err(FrrError::Unavailable("FRR is not installed: apt-get install frr iproute2".to_owned()));
    }
    if Command::new("ip").args(["netns", "list"]).output().map_or(true, |o| !o.status.success()) {
        return Err(FrrError::Unavailable(
            "`ip netns` does not work: apt-get install iproute2, run as root".to_owned(),
        ));
    }
    match fs::metadata("/proc/self").map(|m| std::os::unix::fs::MetadataExt::uid(&m)) {
        Ok(0) => Ok(()),
        _ => Err(FrrError::Unavailable("network namespaces need root".to_owned())),
    }
}

fn run(words: &[&str]) -> Result<String, FrrError> {
    let fail = |output: String| FrrError::Command { line: words.join(" "), output };
    let (program, arguments) = words.split_first().ok_or_else(|| fail("no command".to_owned()))?;
    let done = Command::new(program)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| fail(error.to_string()))?;
    let text = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    if done.status.success() { Ok(text) } else { Err(fail(text)) }
}

impl FrrNetwork {
    /// Makes the namespaces and cables, without any daemon yet, so that more links (TAP devices) can be added.
    ///
    /// # Errors
    /// What [`require`] says, or the first command that fails; nothing is left behind.
    pub fn build(routers: &[FrrRouter], cables: &[FrrCable]) -> Result<Self, FrrError> {
        require()?;
        let tag = format!("nca{}x{}", std::process::id(), SERIAL.fetch_add(1, Ordering::Relaxed));
        let base = std::env::temp_dir().join(&tag);
        fs::create_dir(&base).map_err(|e| FrrError::Io(base.clone(), e))?;
        let mut network = Self { routers: BTreeMap::new(), base };
        fs::set_permissions(&network.base, fs::Permissions::from_mode(0o755))
            .map_err(|e| FrrError::Io(network.base.clone(), e))?;
        for router in routers {
            network.create(router, &format!("{tag}-{}", router.name))?;
        }
        for cable in cables {
            let [(a, a_if), (b, b_if)] = &cable.ends;
            let (a_ns, b_ns) = (network.namespace(a)?, network.namespace(b)?);
            run(&[
                "ip", "link", "add", a_if, "netns", a_ns, "type", "veth", "peer", "name", b_if, "netns", b_ns,
            ])?;
            run(&["ip", "-n", a_ns, "link", "set", a_if, "up"])?;
            run(&["ip", "-n", b_ns, "link", "set", b_if, "up"])?;
        }
        Ok(network)
    }

    fn create(&mut self, router: &FrrRouter, namespace: &str) -> Result<(), FrrError> {
        run(&["ip", "netns", "add", namespace])?;
        let run_dir = self.base.join(&router.name);
        let daemons = Daemon::ALL.into_iter().filter(|d| d.wanted_by(&router.config)).collect();
        // Entered first, so that a failure below still removes the namespace.
        self.routers.insert(
            router.name.clone(),
            Running { namespace: namespace.to_owned(), run_dir: run_dir.clone(), daemons },
        );
        run(&["ip", "-n", namespace, "link", "set", "lo", "up"])?;
        let mut sysctl = vec!["ip", "netns", "exec", namespace, "sysctl", "-qw"];
        sysctl.extend([
            "net.ipv4.ip_forward=1",
            "net.ipv4.conf.all.rp_filter=0",
            "net.ipv4.conf.default.rp_filter=0",
        ]);
        sysctl.extend(["net.ipv6.conf.all.disable_ipv6=1", "net.ipv6.conf.default.disable_ipv6=1"]);
        run(&sysctl)?;
        for stub in &router.stubs {
            let peer = format!("{stub}-p");
            run(&["ip", "-n", namespace, "link", "add", stub, "type", "veth", "peer", "name", &peer])?;
            run(&["ip", "-n", namespace, "link", "set", stub, "up"])?;
            run(&["ip", "-n", namespace, "link", "set", &peer, "up"])?;
        }
        fs::create_dir(&run_dir).map_err(|e| FrrError::Io(run_dir.clone(), e))?;
        for (name, text) in
            [("frr.conf", router.config.as_str()), ("vtysh.conf", "service integrated-vtysh-config\n")]
        {
            let path = run_dir.join(name);
            fs::write(&path, text).map_err(|e| FrrError::Io(path, e))?;
        }
        run(&["chown", "-R", "frr:frr", &run_dir.display().to_string()])?;
        Ok(())
    }

    /// The namespace that a router lives in.
    ///
    /// # Errors
    /// [`FrrError::UnknownRouter`].
    pub fn namespace(&self, router: &str) -> Result<&str, FrrError> {
        Ok(&self.running(router)?.namespace)
    }

    fn running(&self, router: &str) -> Result<&Running, FrrError> {
        self.routers.get(router).ok_or_else(|| FrrError::UnknownRouter(router.to_owned()))
    }

    /// Starts every daemon that a configuration asks for, and loads the configurations.
    ///
    /// # Errors
    /// [`FrrError::Refused`] if FRR does not take a line.
    pub fn start(&self) -> Result<(), FrrError> {
        for (name, router) in &self.routers {
            let dir = router.run_dir.display().to_string();
            for daemon in &router.daemons {
                let program = Path::new(DAEMON_DIR).join(daemon.name()).display().to_string();
                let mut words =
                    vec!["ip", "netns", "exec", &router.namespace, &program, "-d", "-f", "/dev/null"];
                let zserv = format!("{dir}/zserv.api");
                let pid = format!("{dir}/{}.pid", daemon.name());
                let log = format!("file:{dir}/{}.log", daemon.name());
                words.extend(["-z", &zserv, "--vty_socket", &dir, "-i", &pid, "-P", "0", "--log", &log]);
                run(&words)?;
            }
            let said = run(&["vtysh", "--vty_socket", &dir, "--config_dir", &dir, "-b"])?;
            if let Some(complaint) =
                said.lines().find(|l| l.contains("% ") || l.to_lowercase().contains("failure"))
            {
                return Err(FrrError::Refused { router: name.clone(), complaint: complaint.to_owned() });
            }
        }
        Ok(())
    }

    /// Asks a daemon one command over its vty socket.
    ///
    /// # Errors
    /// [`FrrError::Io`] if the daemon is gone or silent for ten seconds.
    pub fn ask(&self, router: &str, daemon: Daemon, command: &str) -> Result<String, FrrError> {
        let path = self.running(router)?.run_dir.join(format!("{}.vty", daemon.name()));
        let mut reply = Vec::new();
        Self::converse(&path, command, &mut reply).map_err(|e| FrrError::Io(path.clone(), e))?;
        Ok(String::from_utf8_lossy(
            reply.strip_suffix(&reply[reply.len().saturating_sub(4)..]).unwrap_or(&reply),
        )
        .into_owned())
    }

    /// The vty protocol: the command ends with NUL, the answer with three NULs and a status.
    fn converse(path: &Path, command: &str, reply: &mut Vec<u8>) -> io::Result<()> {
        let mut vty = UnixStream::connect(path)?;
        vty.set_read_timeout(Some(Duration::from_secs(10)))?;
        vty.write_all(command.as_bytes())?;
        vty.write_all(&[0])?;
        let mut chunk = [0; 65536];
        while reply.len() < 4 || reply[reply.len() - 4..reply.len() - 1] != [0, 0, 0] {
            match vty.read(&mut chunk) {
                Ok(0) => return Err(io::Error::other("the daemon closed its vty")),
                Ok(n) => reply.extend_from_slice(&chunk[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Asks a daemon for JSON.
    ///
    /// # Errors
    /// As [`Self::ask`], or [`FrrError::NotJson`].
    pub fn ask_json(
        &self,
        router: &str,
        daemon: Daemon,
        command: &str,
    ) -> Result<serde_json::Value, FrrError> {
        let text = self.ask(router, daemon, command)?;
        let text = if text.trim().is_empty() { "{}" } else { text.as_str() };
        serde_json::from_str(text).map_err(|_| FrrError::NotJson {
            command: command.to_owned(),
            answer: text.chars().take(200).collect(),
        })
    }

    /// Polls `state` until it has not changed for `quiet`, or until `limit` has passed; returns the last state and
    /// whether it was quiet.
    ///
    /// # Errors
    /// What `state` returns.
    pub fn settle<S: PartialEq>(
        &self,
        quiet: Duration,
        limit: Duration,
        mut state: impl FnMut(&Self) -> Result<S, FrrError>,
    ) -> Result<(S, bool), FrrError> {
        let begin = Instant::now();
        let mut last = state(self)?;
        let mut since = Instant::now();
        loop {
            if since.elapsed() >= quiet {
                return Ok((last, true));
            }
            if begin.elapsed() >= limit {
                return Ok((last, false));
            }
            thread::sleep(Duration::from_millis(500));
            let next = state(self)?;
            if next != last {
                last = next;
                since = Instant::now();
            }
        }
    }
}

/// What the daemons of a network have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrrCost {
    /// Processor time.
    pub processor: Duration,
    /// Memory in KiB, shared pages counted by their share.
    pub memory_kib: u64,
}

impl FrrNetwork {
    /// Processor time and memory of all daemons. One that has ended counts nothing.
    #[must_use]
    pub fn cost(&self) -> FrrCost {
        let mut cost = FrrCost::default();
        for router in self.routers.values() {
            for daemon in &router.daemons {
                let path = router.run_dir.join(format!("{}.pid", daemon.name()));
                let Ok(pid) = fs::read_to_string(path) else { continue };
                let process = Path::new("/proc").join(pid.trim());
                cost.processor += processor_time(&process).unwrap_or_default();
                cost.memory_kib += proportional_memory(&process).unwrap_or_default();
            }
        }
        cost
    }
}

/// User and system time out of `/proc/PID/stat`, in the kernel's hundredths of a second.
fn processor_time(process: &Path) -> Option<Duration> {
    let stat = fs::read_to_string(process.join("stat")).ok()?;
    // The name in parentheses may hold blanks; behind it, utime and stime are the 12th and 13th field.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u64 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * ticks))
}

fn proportional_memory(process: &Path) -> Option<u64> {
    let rollup = fs::read_to_string(process.join("smaps_rollup")).ok()?;
    rollup.lines().find(|line| line.starts_with("Pss:"))?.split_whitespace().nth(1)?.parse().ok()
}

impl Drop for FrrNetwork {
    fn drop(&mut self) {
        let pids: Vec<String> = self
            .routers
            .values()
            .flat_map(|r| r.daemons.iter().map(|d| r.run_dir.join(format!("{}.pid", d.name()))))
            .filter_map(|path| fs::read_to_string(path).ok())
            .map(|pid| pid.trim().to_owned())
            .filter(|pid| self.is_ours(pid))
            .collect();
        for signal in ["-TERM", "-KILL"] {
            for pid in pids.iter().filter(|pid| self.is_ours(pid)) {
                // A daemon that has just ended by itself is no failure.
                let _ = run(&["kill", signal, pid]);
            }
            let end = Instant::now() + Duration::from_secs(3);
            while Instant::now() < end && pids.iter().any(|pid| self.is_ours(pid)) {
                thread::sleep(Duration::from_millis(20));
            }
        }
        for router in self.routers.values() {
            if let Err(error) = run(&["ip", "netns", "del", &router.namespace]) {
                eprintln!("{error}");
            }
        }
        if let Err(error) = fs::remove_dir_all(&self.base) {
            eprintln!("{}: {error}", self.base.display());
        }
    }
}

impl FrrNetwork {
    /// Whether a process id still belongs to a daemon of this network: its command line names our run directory.
    fn is_ours(&self, pid: &str) -> bool {
        fs::read(Path::new("/proc").join(pid).join("cmdline"))
            .is_ok_and(|line| String::from_utf8_lossy(&line).contains(&self.base.display().to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn daemons_follow_from_the_configuration() {
        let config = "interface eth0\n ip ospf area 0\n!\nrouter ospf\n!\nip route 10.0.0.0/8 Null0\n";
        let wanted: Vec<_> = Daemon::ALL.into_iter().filter(|d| d.wanted_by(config)).collect();
        assert_eq!(wanted, [Daemon::Zebra, Daemon::Staticd, Daemon::Ospfd]);
    }
}
