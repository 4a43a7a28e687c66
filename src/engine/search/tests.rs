//! The search on a space of numbers: small enough to say what has to come out.

use super::*;
use std::collections::BTreeSet;

/// From a number one goes to its half and, where it is small enough, to three times the number plus one. Numbers are
/// known up to a unit: a node stands for all numbers that are rounded to its own.
struct Numbers {
    starts: Vec<u32>,
    unit: u32,
    target: u32,
    limit: u32,
    merges: bool,
    /// Whether the half of a number comes first, and the rest when it is expanded again.
    halves_first: bool,
    /// Smaller numbers are parked.
    parks_below: u32,
    /// A number at which the search is stopped.
    refused: Option<u32>,
    expanded: Vec<u32>,
}

impl Numbers {
    fn from(starts: &[u32]) -> Numbers {
        Numbers {
            starts: starts.to_vec(),
            unit: 1,
            target: u32::MAX,
            limit: 100,
            merges: false,
            halves_first: false,
            parks_below: 0,
            refused: None,
            expanded: Vec::new(),
        }
    }
}

/// The control says whether a number is even, the target, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Parity {
    Even,
    Odd,
    Target,
}

impl Numbers {
    fn kind(&self, number: u32) -> Parity {
        match number {
            number if number == self.target => Parity::Target,
            number if number.is_multiple_of(2) => Parity::Even,
            _ => Parity::Odd,
        }
    }

    fn add(&self, out: &mut Successors<Self>, label: &'static str, number: u32) {
        out.add(label, self.kind(number), number);
    }
}

impl Space for Numbers {
    type Control = Parity;
    type State = u32;
    type Label = &'static str;
    const COVERING: Covering = Covering::BeforeStoring;
    const LINKS: bool = true;

    fn initial(&mut self, out: &mut Successors<Self>) -> Result<(), Stop> {
        for &start in &self.starts {
            self.add(out, "start", start);
        }
        Ok(())
    }

    fn expand(&mut self, arg: &mut Arg<Self>, at: NodeId, out: &mut Successors<Self>) -> Result<Expansion, Stop> {
        let number = *arg.state(at);
        if self.halves_first && arg.edges(at).is_empty() {
            self.add(out, "half", number / 2);
            return Ok(Expansion::Partial);
        }
        if !self.halves_first {
            self.add(out, "half", number / 2);
        }
        if self.refused == Some(number) {
            return Err(Stop::Interrupted);
        }
        self.expanded.push(number);
        if 3 * number < self.limit {
            self.add(out, "more", 3 * number + 1);
        }
        Ok(Expansion::Done)
    }

    fn is_target(&self, control: Parity) -> bool {
        control == Parity::Target
    }

    fn class(&self, control: Parity, _: &u32) -> u64 {
        control as u64
    }

    fn covers(&mut self, general: Place<'_, Self>, specific: Place<'_, Self>) -> Result<bool, Stop> {
        Ok(general.control == specific.control && general.state / self.unit == specific.state / self.unit)
    }

    fn merge(&mut self, arg: &mut Arg<Self>, node: NodeId, control: Parity, state: u32) -> Option<u32> {
        if !self.merges || arg.control(node) != control {
            return Some(state);
        }
        None
    }

    fn parks(&mut self, arg: &Arg<Self>, node: NodeId) -> bool {
        *arg.state(node) < self.parks_below
    }

    fn priority(&self, _: NodeId, at: Place<'_, Self>) -> u64 {
        u64::from(*at.state)
    }
}

fn complete(space: &mut Numbers, order: Order) -> Search<Numbers> {
    let mut search = Search::new(order);
    search.start(space).expect("nothing stops it");
    assert_eq!(search.run(space, &Budget::unlimited()), Ok(Found::Complete));
    search
}

fn numbers(search: &Search<Numbers>) -> BTreeSet<u32> {
    search.arg.nodes().map(|node| *search.arg.state(node)).collect()
}

/// What can be reached, found without the search.
fn reachable(start: u32, limit: u32) -> BTreeSet<u32> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![start]);
    while let Some(number) = waiting.pop() {
        if reached.insert(number) {
            waiting.push(number / 2);
            waiting.extend((3 * number < limit).then_some(3 * number + 1));
        }
    }
    reached
}

#[test]
fn every_order_reaches_the_same_and_expands_each_once() {
    for order in [Order::BreadthFirst, Order::DepthFirst, Order::Priority] {
        let mut space = Numbers::from(&[27]);
        let search = complete(&mut space, order);
        assert_eq!(numbers(&search), reachable(27, 100), "{order:?}");
        let once: BTreeSet<u32> = space.expanded.iter().copied().collect();
        assert_eq!(once.len(), space.expanded.len(), "{order:?}");
    }
}

#[test]
fn every_successor_has_an_edge() {
    let mut space = Numbers::from(&[27]);
    let search = complete(&mut space, Order::BreadthFirst);
    for node in search.arg.nodes() {
        let number = *search.arg.state(node);
        let to: BTreeSet<(&str, u32)> =
            search.arg.edges(node).iter().map(|(label, to)| (*label, *search.arg.state(*to))).collect();
        let more = (3 * number < 100).then_some(("more", 3 * number + 1));
        assert_eq!(to, more.into_iter().chain([("half", number / 2)]).collect());
    }
}

#[test]
fn a_target_is_looked_at_first_and_its_path_is_known() {
    let mut space = Numbers { target: 40, ..Numbers::from(&[27]) };
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    let Ok(Found::Target(target)) = search.run(&mut space, &Budget::unlimited()) else { panic!("40 is reached") };
    let path: Vec<u32> = search.arg.path(target).into_iter().map(|node| *search.arg.state(node)).collect();
    assert_eq!(path, [27, 13, 40]);
    assert_eq!(search.arg.label(target), &"more");
}

#[test]
fn a_node_that_is_expanded_in_part_is_expanded_to_the_end_after_the_target() {
    let mut space = Numbers { halves_first: true, target: 13, ..Numbers::from(&[27]) };
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    assert!(matches!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Target(_))));
    assert!(space.expanded.is_empty(), "13 was looked at before 82 was added");
    while search.run(&mut space, &Budget::unlimited()) != Ok(Found::Complete) {}
    assert!(search.arg.nodes().all(|node| search.arg.is_expanded(node) || *search.arg.state(node) == 13));
    assert!(numbers(&search).contains(&82));
}

#[test]
fn pruning_and_going_on_reaches_the_same_again() {
    for pruned in 0..12 {
        let mut space = Numbers::from(&[27]);
        let mut search = complete(&mut space, Order::BreadthFirst);
        let all = numbers(&search);
        let node = search.arg.nodes().nth(pruned).expect("there are as many");
        search.prune_below(&mut space, node);
        assert!(numbers(&search).len() < all.len() || search.waiting().next().is_some());
        assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
        assert_eq!(numbers(&search), all, "below node {pruned}");
        for node in search.arg.nodes() {
            assert!(search.arg.is_expanded(node));
            assert!(search.arg.edges(node).iter().all(|(_, to)| search.arg.has(*to)));
        }
    }
}

#[test]
fn a_state_is_merged_into_a_node_that_waits_and_into_no_other() {
    let mut space = Numbers { merges: true, ..Numbers::from(&[8, 10, 12]) };
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    assert_eq!(numbers(&search), [8].into(), "10 and 12 were taken in");
    assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
    assert!(space.expanded.len() > 1, "what was expanded takes in nothing more");
}

#[test]
fn parts_replace_nodes_and_whole_ones_keep_their_edges() {
    let mut space = Numbers { unit: 10, ..Numbers::from(&[27]) };
    let mut search = complete(&mut space, Order::BreadthFirst);
    let before = space.expanded.len();
    space.unit = 1;
    let parts = |space: &mut Numbers, at: Place<'_, Numbers>| {
        let number = *at.state;
        let numbers = if number == 13 { vec![13, 11] } else { vec![number] };
        Ok(numbers.into_iter().map(|number| (space.kind(number), number)).collect())
    };
    let mut seen = 0;
    search.replace(&mut space, parts, |_, arg| seen = arg.created()).expect("nothing stops it");
    assert!(seen > 0 && numbers(&search).contains(&11));
    assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
    assert!(!space.expanded[before..].contains(&27), "27 is whole, and what it leads to is known");
    assert!(space.expanded[before..].contains(&13));
}

#[test]
fn it_pauses_where_it_is_asked_to_and_goes_on() {
    let mut space = Numbers::from(&[27]);
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    assert_eq!(search.run_until(&mut space, &Budget::unlimited(), |_, arg| arg.len() > 5), Ok(Found::Paused));
    let node = search.waiting().last().expect("something waits");
    assert!(search.pick(node) && !search.pick(node));
    assert_eq!(search.visit(&mut space, node), Ok(None));
    assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
    assert_eq!(numbers(&search), reachable(27, 100));
}

/// A search that is stopped, before or while a node is expanded, loses nothing: once it goes on, it reaches the same.
#[test]
fn a_stopped_search_keeps_what_waits() {
    let mut space = Numbers::from(&[27]);
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    let stopped = Budget::unlimited();
    stopped.interrupt();
    assert_eq!(search.run(&mut space, &stopped), Err(Stop::Interrupted));
    assert_eq!(search.waiting().count(), 1);
    for refused in [27, 13, 40] {
        space.refused = Some(refused);
        assert_eq!(search.run(&mut space, &Budget::unlimited()), Err(Stop::Interrupted), "at {refused}");
        assert!(search.arg.nodes().all(|node| search.arg.is_expanded(node) || search.arg.is_waiting(node)));
    }
    space.refused = None;
    assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
    assert_eq!(numbers(&search), reachable(27, 100));
}

#[test]
fn a_target_that_a_picked_node_leads_to_is_told() {
    let mut space = Numbers { target: 40, ..Numbers::from(&[13]) };
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    let node = search.waiting().next().expect("13 waits");
    assert!(search.pick(node));
    let Ok(Some(Found::Target(target))) = search.visit(&mut space, node) else { panic!("40 follows from 13") };
    assert_eq!(*search.arg.state(target), 40);
}

#[test]
fn parked_nodes_are_explored_only_when_asked_for_and_by_rank() {
    let mut space = Numbers { parks_below: 30, ..Numbers::from(&[27, 5, 20]) };
    let mut search = Search::new(Order::BreadthFirst);
    search.start(&mut space).expect("nothing stops it");
    assert_eq!(search.run(&mut space, &Budget::unlimited()), Ok(Found::Complete));
    assert!(space.expanded.is_empty() && search.has_parked());
    let rank = |_: &Numbers, arg: &Arg<Numbers>, node| u64::from(*arg.state(node));
    let two = |space: &Numbers, _: &Arg<Numbers>| space.expanded.len() == 2;
    assert_eq!(search.run_parked(&mut space, &Budget::unlimited(), rank, two), Ok(Found::Paused));
    assert_eq!(space.expanded, [5, 2], "the half of 5 is smaller than 20");
    assert!(search.has_parked() && search.waiting().next().is_none());
    let never = |_: &Numbers, _: &Arg<Numbers>| false;
    assert_eq!(search.run_parked(&mut space, &Budget::unlimited(), rank, never), Ok(Found::Complete));
    assert!(!search.has_parked() && search.arg.nodes().all(|node| search.arg.is_expanded(node)));
    assert!(reachable(27, 100).is_subset(&numbers(&search)));
}
