//! Adjacencies: coming up, staying, going down.

use netconfarena_emu::eigrp::{DownReason, NeighborChange, NeighborState};

use crate::lab::{Lab, link_address};

const PAIR: &[(usize, usize, u32)] = &[(1, 2, 10)];

#[test]
fn rfc7868_5_3_two_routers_find_each_other_at_once_and_exchange_their_tables() {
    let mut lab = Lab::new(1, 2, PAIR);
    lab.run(1500);
    for (own, far) in [(1, 2), (2, 1)] {
        let neighbors: Vec<_> = lab.eigrp(own).neighbors().map(|(_, neighbor)| neighbor).collect();
        let [neighbor] = neighbors[..] else { panic!("{neighbors:?}") };
        assert_eq!(neighbor.address, link_address(far, own).addr());
        assert_eq!(neighbor.state, NeighborState::Up);
        assert_eq!(neighbor.transport.queue_count(), 0);
        assert_eq!(neighbor.transport.retransmissions, 0);
        assert_eq!(lab.neighbor_log(own, 0), [(neighbor.address, NeighborChange::Up)]);
    }
}

#[test]
fn rfc7868_5_3_a_silent_neighbor_is_given_up_after_its_hold_time() {
    let mut lab = Lab::converged(1, 2, PAIR);
    let since = lab.log_length(1);
    lab.configure(2, |config| {
        config.interfaces.get_mut(&crate::lab::towards(1)).unwrap().eigrp.clear();
        config.ip_routing = true;
    });
    // All frames are lost: the carrier stays.
    let link = lab.link(1, 2);
    let properties = *lab.network.link_properties(link).unwrap();
    lab.network.set_link_properties(
        link,
        netconfarena_emu::network::LinkProperties { loss_ppm: 1_000_000, ..properties },
    );
    lab.run(9_000);
    assert_eq!(lab.neighbor_log(1, since), []);
    lab.run(6_500);
    let down = NeighborChange::Down(DownReason::HoldingTimeExpired);
    assert_eq!(lab.neighbor_log(1, since), [(link_address(2, 1).addr(), down)]);
}
