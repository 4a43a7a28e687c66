//! The proof of a safe program: what holds at every cut point.

use super::Cegar;
use super::graph::{ActivationId, Kind, State};
use crate::engine::claim::{CutActivation, CutInvariants, CutState};
use crate::program::control::Frame;

impl Cegar<'_> {
    /// Everything that the graph holds, to be checked by someone else.
    pub(super) fn proof(&mut self) -> CutInvariants {
        let activations = self.graph.activations().map(|id| self.activation_proof(id)).collect();
        let arithmetic = self.blocks.encoder().arithmetic();
        let memory = self.blocks.memory().clone();
        CutInvariants {
            terms: std::mem::take(&mut self.terms),
            arithmetic,
            memory,
            tracked: self.precision.tracked.clone(),
            blocks: self.config.blocks,
            activations,
        }
    }

    fn activation_proof(&self, id: ActivationId) -> CutActivation {
        let activation = self.graph.activation(id);
        let state = |stack: &[Frame], state: &State| CutState {
            stack: stack.to_vec(),
            values: state.values.clone(),
            literals: state.literals.clone(),
        };
        let entry = self.graph.node(activation.entry);
        let mut proof = CutActivation {
            procedure: activation.procedure,
            entry: state(&entry.stack, &entry.state),
            cuts: Vec::new(),
            exits: Vec::new(),
        };
        for node in self.graph.nodes().map(|node| self.graph.node(node)) {
            if node.activation != id || node.covered_by.is_some() {
                continue;
            }
            match node.kind {
                Kind::Cut => proof.cuts.push(state(&node.stack, &node.state)),
                Kind::Exit => proof.exits.push(state(&node.stack, &node.state)),
                Kind::Error => {}
            }
        }
        proof
    }
}
