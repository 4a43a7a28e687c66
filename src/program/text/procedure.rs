//! Reading procedures.

use super::lex::{Kind, is_anonymous};
use super::parse::{MAX_ERRORS, Named, Parsed, Parser};
use crate::program::validate::Place;
use crate::program::{
    Diagnostic, Edge, EdgeId, Failure, FileId, Id, LocId, Location, ProcId, Procedure, Scope, Span, UnknownErrorKind,
    VarId,
};
use rustc_hash::FxHashMap;

/// A procedure while it is read.
struct Body {
    id: ProcId,
    start: Span,
    name: String,
    parameters: Vec<Named>,
    result: Option<Named>,
    span: Option<Span>,
    entry: Option<LocId>,
    exit: Option<LocId>,
    labels: FxHashMap<String, LocId>,
    locations: Vec<Location>,
    edges: Vec<Edge>,
}

impl Default for Body {
    fn default() -> Self {
        Body {
            id: ProcId::new(0),
            start: Span::new(FileId::new(0), 0, 0),
            name: String::new(),
            parameters: Vec::new(),
            result: None,
            span: None,
            entry: None,
            exit: None,
            labels: FxHashMap::default(),
            locations: Vec::new(),
            edges: Vec::new(),
        }
    }
}

impl Parser<'_> {
    /// Reads a procedure after its keyword.
    pub(super) fn procedure(&mut self, start: Span) -> Parsed<()> {
        let id = ProcId::new(self.procedures.len());
        self.locals.clear();
        let mut body = Body { id, start, ..Body::default() };
        let header = self.procedure_header(&mut body);
        if header.is_err() {
            // What the body means can still be checked: only the header is skipped.
            self.skip_to(&["local", "location", "edge", "procedure"], true);
        }
        while !self.is("}") && !self.is("procedure") && self.token.kind != Kind::End {
            if self.procedure_item(&mut body).is_err() {
                self.skip_to(&["local", "location", "edge", "procedure"], true);
            }
        }
        let end = self.expect("}");
        let procedure = self.finish_procedure(body);
        self.procedures.push(procedure);
        self.locals.clear();
        end
    }

    fn procedure_header(&mut self, body: &mut Body) -> Parsed<()> {
        let (name, span) = self.named()?;
        if self.procedure_ids.get(&name) != Some(&body.id) {
            self.report(span, format!("two procedures are called `{name}`"), "the second one");
        }
        body.name = name;
        self.expect("(")?;
        if !self.accept(")") {
            loop {
                let parameter = self.named()?;
                body.parameters.push(parameter);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        body.result = if self.accept("->") { Some(self.named()?) } else { None };
        body.span = self.optional_span()?;
        self.places.insert(Place::Procedure(body.id), self.since(body.start));
        self.expect("{")
    }

    fn procedure_item(&mut self, body: &mut Body) -> Parsed<()> {
        let start = self.here();
        if self.accept("local") {
            self.declaration(start, Scope::Local(body.id))
        } else if self.accept("location") {
            self.location(body, start)
        } else if self.accept("edge") {
            self.edge(body, start)
        } else {
            Err(self.unexpected("`local`, `location`, `edge` or `}`"))
        }
    }

    fn location(&mut self, body: &mut Body, start: Span) -> Parsed<()> {
        let (label, label_span) = self.named()?;
        let id = LocId::new(body.locations.len());
        let name = if self.accept("=") { Some(self.string()?) } else { None };
        if name.is_some() && !is_anonymous(&label) {
            self.report(label_span, "this location has two names", "the first one");
            self.hint("before a `=`, write `L` and a number");
        }
        let name = if is_anonymous(&label) { name } else { Some(label.clone()) };
        for (word, slot) in [("entry", &mut body.entry), ("exit", &mut body.exit)] {
            if self.accept(word) && slot.replace(id).is_some() {
                self.report(label_span, format!("a second {word}"), "here");
            }
        }
        let error = if self.accept("error") { Some(self.failure()?) } else { None };
        let span = self.optional_span()?;
        if body.labels.insert(label.clone(), id).is_some() {
            self.report(label_span, format!("two locations are called `{label}`"), "the second one");
        }
        self.places.insert(Place::Location(body.id, id), self.since(start));
        body.locations.push(Location { name, error, span });
        Ok(())
    }

    fn failure(&mut self) -> Parsed<Failure> {
        let span = self.here();
        let kind = match self.string()?.parse() {
            Ok(kind) => kind,
            Err(unknown) => {
                let unknown: UnknownErrorKind = unknown;
                let reported = self.report(span, unknown.to_string(), "not an error kind");
                self.hint("as in \"assertion\", \"overflow\", \"call:reach_error\"");
                return Err(reported);
            }
        };
        Ok(Failure { kind, message: self.string()? })
    }

    fn edge(&mut self, body: &mut Body, start: Span) -> Parsed<()> {
        let source = self.end_of_edge(body)?;
        self.expect("->")?;
        let target = self.end_of_edge(body)?;
        let label = if matches!(self.token.kind, Kind::Text(_)) { Some(self.string()?) } else { None };
        let span = self.optional_span()?;
        let (procedure, id) = (body.id, EdgeId::new(body.edges.len()));
        self.places.insert(Place::Edge(procedure, id), self.since(start));
        let place = |index| Place::Statement(procedure, id, index);
        let (block, places) = if self.is("{") { self.block(place)? } else { Default::default() };
        body.edges.push(Edge { source, target, label, block, span, places });
        Ok(())
    }

    fn end_of_edge(&mut self, body: &Body) -> Parsed<LocId> {
        let (name, span) = self.named()?;
        match body.labels.get(&name) {
            Some(id) => Ok(*id),
            None => {
                self.report(span, format!("no location here is called `{name}`"), "not declared");
                self.hint("locations are declared before the edges that use them");
                Ok(LocId::new(0))
            }
        }
    }

    fn finish_procedure(&mut self, body: Body) -> Procedure {
        let mut local = |named: &Named| {
            self.locals.get(&named.0).copied().unwrap_or_else(|| {
                let (name, span) = named;
                let message = format!("`{name}` is no local of the procedure");
                let diagnostic = Diagnostic::at(*span, message, "not declared");
                if self.errors.len() < MAX_ERRORS {
                    self.errors.push(diagnostic.hint(format!("declare it in the procedure: local {name}: int")));
                }
                VarId::new(0)
            })
        };
        let parameters = body.parameters.iter().map(&mut local).collect();
        let result = body.result.as_ref().map(&mut local);
        for (what, found) in [("entry", body.entry), ("exit", body.exit)] {
            if found.is_none() {
                self.report(body.start, format!("the procedure `{}` has no {what}", body.name), "this one");
                self.hint(format!("write `{what}` after one of its locations"));
            }
        }
        Procedure {
            name: body.name,
            parameters,
            result,
            locations: body.locations.into_iter().collect(),
            edges: body.edges.into_iter().collect(),
            entry: body.entry.unwrap_or(LocId::new(0)),
            exit: body.exit.unwrap_or(LocId::new(0)),
            span: body.span,
        }
    }
}
