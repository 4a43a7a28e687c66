//! Where to draw a graph: layers from top to bottom, after Sugiyama, Tagawa and Toda.
//!
//! Arcs that close a cycle are turned round, each box goes to the layer below all that lead to it, an arc that
//! crosses layers gets a bend in each, the boxes of a layer are ordered by the barycentres of their neighbours, and
//! places across are the closest to the neighbours' that keep the order, found exactly by isotonic regression.

/// A box to place: it reaches to the left and to the right of the point that arcs lead to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Extent {
    pub left: f64,
    pub right: f64,
    pub height: f64,
}

/// A graph placed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    /// The point of each box that arcs lead to, across, and its top.
    pub boxes: Vec<(f64, f64)>,
    /// The top and the bottom of each box's layer: between them arcs go straight.
    pub rows: Vec<(f64, f64)>,
    /// For each arc, the points that it bends at, from its source to its target.
    pub bends: Vec<Vec<Bend>>,
    /// Whether the arc goes up.
    pub upward: Vec<bool>,
    pub width: f64,
    pub height: f64,
}

/// Where an arc goes straight through a layer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bend {
    pub x: f64,
    pub top: f64,
    pub bottom: f64,
}

const ACROSS: f64 = 24.0;
const DOWN: f64 = 44.0;
const SWEEPS: usize = 12;

/// How many bends a layout may have.
const MAX_BENDS: usize = 200_000;

/// Places the boxes; the first is on top. None if the arcs cross too many layers.
pub(super) fn layout(extents: &[Extent], arcs: &[(usize, usize)]) -> Option<Layout> {
    let upward = upward_arcs(extents.len(), arcs);
    let down: Vec<(usize, usize)> =
        arcs.iter().zip(&upward).map(|(&(a, b), &up)| if up { (b, a) } else { (a, b) }).collect();
    let layer = layers(extents.len(), &down);
    let mut graph = Layered::new(extents, &layer, &down)?;
    graph.order();
    graph.place_across();
    let (tops, height) = graph.place_down();
    Some(graph.finish(extents.len(), upward, tops, height))
}

/// Which arcs lead back to a box that they were reached from, in a search from the first box on. Loops are not
/// passed here.
fn upward_arcs(count: usize, arcs: &[(usize, usize)]) -> Vec<bool> {
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (number, arc) in arcs.iter().enumerate() {
        leaving[arc.0].push(number);
    }
    let mut upward = vec![false; arcs.len()];
    let (mut seen, mut open) = (vec![false; count], vec![false; count]);
    for root in 0..count {
        if seen[root] {
            continue;
        }
        let mut path = vec![(root, 0)];
        (seen[root], open[root]) = (true, true);
        while let Some((here, next)) = path.last_mut() {
            let here = *here;
            let Some(&number) = leaving[here].get(*next) else {
                open[here] = false;
                path.pop();
                continue;
            };
            *next += 1;
            let target = arcs[number].1;
            upward[number] = open[target];
            if !seen[target] {
                (seen[target], open[target]) = (true, true);
                path.push((target, 0));
            }
        }
    }
    upward
}

/// The layer of each box: one below the lowest that leads to it.
fn layers(count: usize, down: &[(usize, usize)]) -> Vec<usize> {
    let mut waiting = vec![0_usize; count];
    let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); count];
    for &(a, b) in down {
        waiting[b] += 1;
        leaving[a].push(b);
    }
    let mut layer = vec![0; count];
    let mut ready: Vec<usize> = (0..count).filter(|&n| waiting[n] == 0).collect();
    while let Some(here) = ready.pop() {
        for &target in &leaving[here] {
            layer[target] = layer[target].max(layer[here] + 1);
            waiting[target] -= 1;
            if waiting[target] == 0 {
                ready.push(target);
            }
        }
    }
    layer
}

/// Boxes and bends in their layers.
struct Layered {
    extents: Vec<Extent>,
    weight: Vec<f64>,
    layers: Vec<Vec<usize>>,
    /// The neighbours in the layers above and below.
    above: Vec<Vec<usize>>,
    below: Vec<Vec<usize>>,
    /// The bends of each arc, from top to bottom.
    bends: Vec<Vec<usize>>,
    x: Vec<f64>,
}

impl Layered {
    fn new(extents: &[Extent], layer: &[usize], down: &[(usize, usize)]) -> Option<Layered> {
        let crossed: usize = down.iter().map(|&(a, b)| layer[b] - layer[a]).sum();
        if crossed > MAX_BENDS {
            return None;
        }
        let count = layer.iter().max().map_or(0, |last| last + 1);
        let mut layers = vec![Vec::new(); count];
        (0..extents.len()).for_each(|n| layers[layer[n]].push(n));
        let mut extents = extents.to_vec();
        let mut weight = vec![1.0; extents.len()];
        let mut joins = Vec::new();
        let mut bends = Vec::new();
        for &(a, b) in down {
            let mut last = a;
            let mut own = Vec::new();
            for row in &mut layers[layer[a] + 1..layer[b]] {
                let bend = extents.len();
                extents.push(Extent { left: 4.0, right: 4.0, height: 0.0 });
                // Bends count more, so that long arcs are straight.
                weight.push(4.0);
                row.push(bend);
                joins.push((last, bend));
                own.push(bend);
                last = bend;
            }
            joins.push((last, b));
            bends.push(own);
        }
        let (mut above, mut below) = (vec![Vec::new(); extents.len()], vec![Vec::new(); extents.len()]);
        for (a, b) in joins {
            below[a].push(b);
            above[b].push(a);
        }
        let x = vec![0.0; extents.len()];
        Some(Layered { extents, weight, layers, above, below, bends, x })
    }

    /// Orders every layer so that arcs cross little, keeping the best order that the sweeps come across.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let downward = sweep % 2 == 0;
            let numbers: Vec<usize> = (0..self.layers.len()).collect();
            let order: Vec<usize> = if downward { numbers } else { numbers.into_iter().rev().collect() };
            for layer in order {
                self.sort_layer(layer, downward);
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.extents.len()];
        for layer in &self.layers {
            layer.iter().enumerate().for_each(|(index, &n)| position[n] = index);
        }
        position
    }

    fn sort_layer(&mut self, layer: usize, by_above: bool) {
        let neighbour_layer = if by_above { layer.checked_sub(1) } else { Some(layer + 1) };
        let Some(neighbours) = neighbour_layer.and_then(|n| self.layers.get(n)) else { return };
        let place: rustc_hash::FxHashMap<usize, usize> = neighbours.iter().enumerate().map(|(i, &n)| (n, i)).collect();
        let sides = if by_above { &self.above } else { &self.below };
        let own: Vec<usize> = self.layers[layer].clone();
        let key = |index: usize, n: usize| {
            let near = &sides[n];
            if near.is_empty() {
                return index as f64;
            }
            near.iter().map(|m| place[m] as f64).sum::<f64>() / near.len() as f64
        };
        let mut keyed: Vec<(f64, usize)> = own.iter().enumerate().map(|(index, &n)| (key(index, n), n)).collect();
        keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.layers[layer] = keyed.into_iter().map(|(_, n)| n).collect();
    }

    /// How many pairs of arcs cross.
    fn crossings(&self) -> usize {
        let position = self.positions();
        let mut total = 0;
        for pair in self.layers.windows(2) {
            // A Fenwick tree counts how many earlier arcs end further to the right.
            let mut tree = vec![0_usize; pair[1].len() + 1];
            let mut seen = 0;
            for &n in &pair[0] {
                let mut ends: Vec<usize> = self.below[n].iter().map(|&m| position[m]).collect();
                ends.sort_unstable();
                for &end in &ends {
                    let mut index = end + 1;
                    let mut not_right = 0;
                    while index > 0 {
                        not_right += tree[index];
                        index &= index - 1;
                    }
                    total += seen - not_right;
                }
                for &end in &ends {
                    let mut index = end + 1;
                    while index < tree.len() {
                        tree[index] += 1;
                        index += index & index.wrapping_neg();
                    }
                    seen += 1;
                }
            }
        }
        total
    }

    /// Finds the places across: each layer as near to its neighbours as its order and its boxes allow.
    fn place_across(&mut self) {
        for layer in 0..self.layers.len() {
            let wanted = vec![0.0; self.layers[layer].len()];
            self.settle(layer, &wanted);
        }
        for sweep in 0..2 * SWEEPS {
            let downward = sweep % 2 == 0;
            for step in 0..self.layers.len() {
                let layer = if downward { step } else { self.layers.len() - 1 - step };
                let sides = if downward { &self.above } else { &self.below };
                let mean = |n: usize| {
                    let near = &sides[n];
                    if near.is_empty() {
                        self.x[n]
                    } else {
                        near.iter().map(|&m| self.x[m]).sum::<f64>() / near.len() as f64
                    }
                };
                let wanted: Vec<f64> = self.layers[layer].iter().map(|&n| mean(n)).collect();
                self.settle(layer, &wanted);
            }
        }
    }

    /// The places of one layer nearest to the wanted ones, by weighted squares: pools adjacent violators.
    fn settle(&mut self, layer: usize, wanted: &[f64]) {
        let row = &self.layers[layer];
        let mut offset = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        for (index, &n) in row.iter().enumerate() {
            if index > 0 {
                offset += self.extents[row[index - 1]].right + ACROSS + self.extents[n].left;
            }
            offsets.push(offset);
        }
        // Each block has the sum of its weighted wishes, its weight, and its length.
        let mut blocks: Vec<(f64, f64, usize)> = Vec::new();
        for (index, &n) in row.iter().enumerate() {
            let weight = self.weight[n];
            blocks.push(((wanted[index] - offsets[index]) * weight, weight, 1));
            while let [.., a, b] = blocks[..]
                && a.0 / a.1 > b.0 / b.1
            {
                blocks.pop();
                blocks.pop();
                blocks.push((a.0 + b.0, a.1 + b.1, a.2 + b.2));
            }
        }
        let mut index = 0;
        for (sum, weight, length) in blocks {
            for _ in 0..length {
                self.x[row[index]] = sum / weight + offsets[index];
                index += 1;
            }
        }
    }

    /// The top of each layer, and the height of all.
    fn place_down(&self) -> (Vec<f64>, f64) {
        let mut y = 0.0;
        let mut tops = Vec::new();
        for layer in &self.layers {
            tops.push(y);
            y += layer.iter().map(|&n| self.extents[n].height).fold(0.0, f64::max) + DOWN;
        }
        (tops, (y - DOWN).max(0.0))
    }

    fn finish(self, boxes: usize, upward: Vec<bool>, tops: Vec<f64>, height: f64) -> Layout {
        let all = || (0..self.extents.len()).map(|n| (self.x[n], self.extents[n]));
        let leftmost = all().map(|(x, e)| x - e.left).fold(f64::INFINITY, f64::min);
        let rightmost = all().map(|(x, e)| x + e.right).fold(f64::NEG_INFINITY, f64::max);
        let mut layer_of = vec![0; self.extents.len()];
        for (number, layer) in self.layers.iter().enumerate() {
            layer.iter().for_each(|&n| layer_of[n] = number);
        }
        let layer_height = |layer: usize| {
            let next = tops.get(layer + 1).map_or(height, |next| next - DOWN);
            next - tops[layer]
        };
        let place = |n: usize| {
            // Boxes stand in the middle of their layer.
            let layer = layer_of[n];
            (self.x[n] - leftmost, tops[layer] + (layer_height(layer) - self.extents[n].height) / 2.0)
        };
        let bend = |&n: &usize| {
            let layer = layer_of[n];
            Bend { x: self.x[n] - leftmost, top: tops[layer], bottom: tops[layer] + layer_height(layer) }
        };
        let bends = self.bends.iter().zip(&upward).map(|(own, &up)| {
            let mut bends: Vec<Bend> = own.iter().map(bend).collect();
            if up {
                bends.reverse();
            }
            bends
        });
        let row = |n: usize| (tops[layer_of[n]], tops[layer_of[n]] + layer_height(layer_of[n]));
        let rows = (0..boxes).map(row).collect();
        let width = if boxes == 0 { 0.0 } else { rightmost - leftmost };
        Layout { boxes: (0..boxes).map(place).collect(), rows, bends: bends.collect(), upward, width, height }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOX: Extent = Extent { left: 20.0, right: 20.0, height: 10.0 };

    #[test]
    fn cycles_and_long_arcs_are_placed() {
        let placed = layout(&[BOX; 4], &[(0, 1), (1, 2), (2, 0), (0, 2), (3, 2)]).unwrap();
        assert_eq!(placed.upward, [false, false, true, false, false]);
        let y = |n: usize| placed.boxes[n].1;
        assert!(y(0) < y(1) && y(1) < y(2) && y(3) < y(2));
        assert_eq!(placed.bends.iter().map(Vec::len).collect::<Vec<_>>(), [0, 0, 1, 1, 1]);
        assert!(layout(&[], &[]).unwrap().boxes.is_empty());
    }

    #[test]
    fn boxes_of_a_layer_do_not_overlap() {
        let arcs: Vec<(usize, usize)> = (1..8).map(|n| (0, n)).chain((1..8).map(|n| (n, 8))).collect();
        let placed = layout(&[BOX; 9], &arcs).unwrap();
        let mut across: Vec<f64> = (1..8).map(|n| placed.boxes[n].0).collect();
        across.sort_by(f64::total_cmp);
        assert!(across.windows(2).all(|pair| pair[1] - pair[0] >= 40.0 + ACROSS - 1e-6));
        assert!((placed.boxes[0].0 - placed.boxes[8].0).abs() < 1e-6);
    }
}
