//! Making interfaces and processes equal to the configuration.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::dispatch::Notice;
use super::process_table::{self, ProcessKey};
use super::{Router, hardware};
use crate::config::{InterfaceConfig, RouterConfig};
use crate::ids::{IfIndex, MacAddress, VrfId};
use crate::interface::{Counters, Interface, InterfaceKind, InterfaceName, Medium};
use crate::process::Input;
use crate::rib::{RouteOwner, TableId};
use crate::time::Time;

/// Below this an interface cannot carry IPv4 (RFC 791).
const LEAST_MTU: u16 = 68;

impl Router {
    /// Replaces the running configuration.
    pub(crate) fn configure(&mut self, now: Time, mut config: RouterConfig) {
        // A port exists whatever the configuration says; one that is not mentioned is shut down, as from the factory.
        for &port in self.ports.iter() {
            config
                .interfaces
                .entry(port)
                .or_insert_with(|| InterfaceConfig { shutdown: true, ..InterfaceConfig::default() });
        }
        let before = std::mem::replace(&mut self.config, Arc::new(config));
        self.changed = true;
        self.reconcile_vrfs();
        self.reconcile_interfaces(now);
        self.reconcile_processes(now);
        self.reconcile_filter_counters(&before);
        self.reconcile_policy_counters();
        self.reconcile_tracking(now);
        self.notices.push_back(Notice::Configured);
        self.tell_processes(now);
    }

    fn reconcile_vrfs(&mut self) {
        let config = Arc::clone(&self.config);
        for name in config.vrfs.keys() {
            if self.interfaces.vrf_id(Some(name)).is_none() {
                self.interfaces.insert_vrf(name, VrfId(self.next_vrf));
                self.next_vrf += 1;
            }
        }
        let gone: Vec<(String, VrfId)> = self
            .interfaces
            .vrfs()
            .filter(|(name, _)| !config.vrfs.contains_key(*name))
            .map(|(name, id)| (name.to_owned(), id))
            .collect();
        for (name, id) in gone {
            self.interfaces.remove_vrf(&name);
            self.rib.remove_table(TableId::ipv4(id));
            self.fib.remove_table(TableId::ipv4(id));
        }
    }

    fn reconcile_interfaces(&mut self, now: Time) {
        let config = Arc::clone(&self.config);
        self.remove_interfaces(now, &config);
        for name in config.interfaces.keys() {
            if self.interfaces.by_name(*name).is_none() && name.kind() != InterfaceKind::Null {
                self.create_interface(now, *name);
            }
        }
        let mut changed = BTreeSet::new();
        let mut admin = Vec::new();
        for (name, settings) in &config.interfaces {
            let Some(old) = self.interfaces.by_name(*name) else { continue };
            let new = self.derive(old, settings);
            if !same_settings(&new, old) {
                changed.insert(new.index);
            }
            if new.admin_up == settings.shutdown && new.medium != Medium::Null {
                admin.push((new.index, !settings.shutdown));
            }
            self.interfaces.insert(new);
        }
        let borrowers: Vec<IfIndex> = self
            .interfaces
            .iter()
            .filter(|i| i.unnumbered.is_some_and(|lender| changed.contains(&lender)))
            .map(|i| i.index)
            .collect();
        changed.extend(borrowers);
        changed.into_iter().for_each(|index| self.interface_changed(now, index));
        admin.into_iter().for_each(|(index, up)| self.set_admin(now, index, up));
    }

    /// Removes what configuration has made and no longer wants.
    fn remove_interfaces(&mut self, now: Time, config: &RouterConfig) {
        let gone: Vec<IfIndex> = self
            .interfaces
            .iter()
            .filter(|i| !config.interfaces.contains_key(&i.name) && i.medium != Medium::Null)
            .map(|i| i.index)
            .collect();
        for index in gone {
            self.forget_line_timers(index);
            self.interfaces.remove(index);
            self.interface_changed(now, index);
        }
    }

    fn create_interface(&mut self, now: Time, name: InterfaceName) {
        let parent = name.parent().and_then(|parent| self.interfaces.by_name(parent));
        if name.kind().is_physical() && parent.is_none() {
            // No such hardware: the line stays in the configuration without effect.
            return;
        }
        let mac = parent.map_or(MacAddress([0; 6]), |parent| parent.mac);
        let index = self.new_index();
        self.interfaces.insert(hardware::interface(index, name, mac, now));
    }

    /// The interface as the configuration wants it; its state stays.
    fn derive(&self, old: &Interface, settings: &InterfaceConfig) -> Interface {
        let defaults = hardware::defaults(old.name.kind());
        let parent = old.name.parent().and_then(|parent| self.interfaces.by_name(parent));
        let factory_mac = self.burned_in_address(old.name);
        let mtu = settings.mtu.unwrap_or(parent.map_or(defaults.mtu, |p| p.mtu)).max(LEAST_MTU);
        Interface {
            vrf: self.interfaces.vrf_id(settings.vrf.as_deref()).unwrap_or(VrfId::GLOBAL),
            mac: settings.mac_address.or(factory_mac).or(parent.map(|p| p.mac)).unwrap_or(old.mac),
            address: settings.address,
            secondary: settings.secondary.iter().copied().collect(),
            unnumbered: settings
                .unnumbered
                .and_then(|lender| self.interfaces.by_name(lender))
                .map(|lender| lender.index),
            mtu,
            ip_mtu: settings.ip_mtu.unwrap_or(mtu).clamp(LEAST_MTU, mtu),
            bandwidth_kbps: settings
                .bandwidth_kbps
                .unwrap_or(parent.map_or(defaults.bandwidth_kbps, |p| p.bandwidth_kbps)),
            delay_tens_us: settings
                .delay_tens_us
                .unwrap_or(parent.map_or(defaults.delay_tens_us, |p| p.delay_tens_us)),
            ..old.clone()
        }
    }

    fn reconcile_processes(&mut self, now: Time) {
        let wanted: BTreeSet<ProcessKey> =
            process_table::wanted(&self.config, &self.interfaces).into_iter().collect();
        let gone: Vec<ProcessKey> =
            self.processes.keys().copied().filter(|key| !wanted.contains(key)).collect();
        for key in gone {
            // It finds its configuration gone, and may say goodbye.
            self.feed(now, key, Input::Configured);
            self.processes.remove(&key);
            if let RouteOwner::Ospf(process_id) = key.owner {
                self.ospf_router_ids.remove(&process_id);
                self.ospf_interfaces.retain(|_, holder| *holder != process_id);
            }
            for change in self.rib.withdraw_all(TableId::ipv4(key.vrf), key.owner) {
                self.route_changed(change);
            }
        }
        for key in wanted {
            if self.processes.contains_key(&key) {
                continue;
            }
            if let Some(process) = process_table::create(now, key, &self.interfaces) {
                self.processes.insert(key, Arc::new(process));
            }
        }
    }
}

/// Whether two states of an interface are the same for protocols, traffic aside.
fn same_settings(new: &Interface, old: &Interface) -> bool {
    let still = |interface: &Interface| Interface {
        counters: Counters::default(),
        last_change: Time::ZERO,
        ..interface.clone()
    };
    still(new) == still(old)
}
