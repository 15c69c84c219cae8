//! Election of the designated router and its backup (RFC 2328 section 9.4).

use std::net::Ipv4Addr;

use crate::ids::RouterId;

/// A router that takes part: the calculating router itself, or a neighbor in state 2-Way or above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Router id.
    pub router_id: RouterId,
    /// Address on the network.
    pub address: Ipv4Addr,
    /// Router priority; 0 is not eligible.
    pub priority: u8,
    /// Whom it declares to be the DR.
    pub designated_router: Ipv4Addr,
    /// Whom it declares to be the backup DR.
    pub backup_designated_router: Ipv4Addr,
}

impl Candidate {
    fn declares_itself_designated(&self) -> bool {
        self.designated_router == self.address
    }

    fn declares_itself_backup(&self) -> bool {
        self.backup_designated_router == self.address
    }

    /// Highest priority first, then highest router id.
    const fn rank(&self) -> (u8, RouterId) {
        (self.priority, self.router_id)
    }
}

/// Whom an election chose, by interface address; unspecified where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Elected {
    /// The DR.
    pub designated_router: Ipv4Addr,
    /// The backup DR.
    pub backup_designated_router: Ipv4Addr,
}

/// Steps 2 and 3 with what the candidates declare now.
fn elect_once(candidates: &[Candidate]) -> Elected {
    let eligible = || candidates.iter().filter(|candidate| candidate.priority > 0);
    let not_designated = || eligible().filter(|candidate| !candidate.declares_itself_designated());
    let backup = not_designated()
        .filter(|candidate| candidate.declares_itself_backup())
        .max_by_key(|candidate| candidate.rank())
        .or_else(|| not_designated().max_by_key(|candidate| candidate.rank()))
        .map_or(Ipv4Addr::UNSPECIFIED, |candidate| candidate.address);
    let designated = eligible()
        .filter(|candidate| candidate.declares_itself_designated())
        .max_by_key(|candidate| candidate.rank())
        .map_or(backup, |candidate| candidate.address);
    Elected { designated_router: designated, backup_designated_router: backup }
}

/// Elects DR and backup. `own` is the calculating router, with what it held before the election as its declaration.
///
/// The election is repeated once if it changes whether the calculating router is one of the two (step 4), so that no
/// router becomes both.
#[must_use]
pub fn elect(own: Candidate, neighbors: &[Candidate]) -> Elected {
    let mut candidates = Vec::with_capacity(neighbors.len() + 1);
    candidates.push(own);
    candidates.extend_from_slice(neighbors);
    let first = elect_once(&candidates);
    let role = |designated: Ipv4Addr, backup: Ipv4Addr| (designated == own.address, backup == own.address);
    let before = role(own.designated_router, own.backup_designated_router);
    if role(first.designated_router, first.backup_designated_router) == before {
        return first;
    }
    if let Some(own) = candidates.first_mut() {
        own.designated_router = first.designated_router;
        own.backup_designated_router = first.backup_designated_router;
    }
    elect_once(&candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Ipv4Addr = Ipv4Addr::UNSPECIFIED;

    const fn address(last: u8) -> Ipv4Addr {
        Ipv4Addr::new(10, 0, 0, last)
    }

    fn candidate(last: u8, priority: u8, designated: Ipv4Addr, backup: Ipv4Addr) -> Candidate {
        Candidate {
            router_id: RouterId(Ipv4Addr::new(1, 1, 1, last)),
            address: address(last),
            priority,
            designated_router: designated,
            backup_designated_router: backup,
        }
    }

    fn fresh(last: u8, priority: u8) -> Candidate {
        candidate(last, priority, NONE, NONE)
    }

    fn chosen(own: Candidate, neighbors: &[Candidate]) -> (Ipv4Addr, Ipv4Addr) {
        let elected = elect(own, neighbors);
        (elected.designated_router, elected.backup_designated_router)
    }

    #[test]
    fn rfc9_4_highest_priority_then_highest_router_id_wins_on_a_fresh_network() {
        let others = [fresh(2, 1), fresh(3, 1)];
        assert_eq!(chosen(candidate(9, 1, NONE, NONE), &others), (address(9), address(3)));
        let others = [fresh(2, 5), fresh(3, 1)];
        assert_eq!(chosen(fresh(1, 9), &others), (address(1), address(2)));
    }

    #[test]
    fn rfc9_4_step_1_priority_zero_is_never_elected() {
        assert_eq!(chosen(fresh(9, 0), &[fresh(1, 1)]).0, address(1));
        assert_eq!(chosen(fresh(9, 0), &[fresh(1, 0)]), (NONE, NONE));
    }

    #[test]
    fn rfc9_4_a_standing_designated_router_is_not_displaced_by_a_better_newcomer() {
        let standing = [candidate(1, 1, address(1), address(2)), candidate(2, 1, address(1), address(2))];
        assert_eq!(chosen(fresh(9, 200), &standing), (address(1), address(2)));
    }

    #[test]
    fn rfc9_4_step_3_the_backup_is_promoted_when_the_designated_router_is_gone() {
        let own = candidate(2, 1, address(1), address(2));
        let other = candidate(3, 1, address(1), address(2));
        assert_eq!(chosen(own, &[other]), (address(2), address(3)));
    }

    #[test]
    fn rfc9_4_step_4_nobody_is_both() {
        let (designated, backup) = chosen(fresh(1, 1), &[]);
        assert_eq!((designated, backup), (address(1), NONE));
    }

    #[test]
    fn rfc9_4_of_two_declared_designated_routers_the_better_stays() {
        let own = candidate(1, 1, address(1), NONE);
        let other = candidate(2, 1, address(2), NONE);
        assert_eq!(chosen(own, &[other]).0, address(2));
    }
}
