//! The proof of a safe program: what holds at every cut point.

use super::Cegar;
use super::control::{ActivationId, Kind};
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::engine::search::NodeId;
use std::collections::BTreeMap;

impl Cegar<'_> {
    /// Everything that the graph holds, to be checked by someone else. What is covered is left out: activations whose
    /// entries are have nothing but those.
    pub(in crate::engine) fn proof(&mut self) -> CutInvariants {
        let mut activations: BTreeMap<ActivationId, CutActivation> = BTreeMap::new();
        let arg = &self.search.arg;
        // An entry is older than all other nodes of its activation.
        for node in arg.nodes().filter(|node| arg.covered_by(*node).is_none()) {
            let control = arg.control(node);
            if arg.label(node).is_entry() {
                let procedure = self.space.frames(arg, node)[0].procedure;
                let entry = self.cut_state(node);
                let new = CutActivation { procedure, entry, cuts: Vec::new(), exits: Vec::new() };
                activations.insert(control.activation, new);
            }
            let Some(activation) = activations.get_mut(&control.activation) else { continue };
            match control.kind {
                Kind::Entry(_) | Kind::Cut => activation.cuts.push(self.cut_state(node)),
                Kind::Exit => activation.exits.push(self.cut_state(node)),
                Kind::Error => {}
            }
        }
        CutInvariants {
            terms: std::mem::take(&mut self.space.formulas.terms),
            arithmetic: self.space.formulas.blocks.encoder().arithmetic(),
            memory: self.space.formulas.blocks.memory().clone(),
            tracked: self.space.precision.tracked().clone(),
            blocks: self.space.config.blocks,
            activations: activations.into_values().collect(),
        }
    }

    fn cut_state(&self, node: NodeId) -> CutState {
        let state = &self.search.arg.state(node).state;
        CutState {
            stack: self.space.frames(&self.search.arg, node).to_vec(),
            values: state.values.clone(),
            literals: state.literals.clone(),
        }
    }
}
