//! Reads a proving key in snarkjs' format (`.zkey`, Groth16). Its numbers are in Montgomery form with R = 2^256; our
//! own R may differ.

use alloc::vec::Vec;

use sotto_field::{Fq, Fr};

use crate::field::Fq2;
use crate::point::Affine;
use crate::reader::Reader;

/// One entry of the constraints' matrices.
pub struct Coefficient {
    pub constraint: u32,
    pub signal: u32,
    /// Scaled so that its Montgomery product with a plain number is a field element.
    pub value: Fr,
}

/// Points of the key that belong to signals. Points at infinity are left out.
pub struct Query<F> {
    pub points: Vec<Affine<F>>,
    pub signals: Vec<u32>,
}

/// A proving key, ready for use.
pub struct Key {
    pub signals: usize,
    pub log_domain: u32,
    pub alpha1: Affine<Fq>,
    pub beta1: Affine<Fq>,
    pub beta2: Affine<Fq2>,
    pub delta1: Affine<Fq>,
    pub delta2: Affine<Fq2>,
    /// The matrices A and B.
    pub matrices: [Vec<Coefficient>; 2],
    pub a: Query<Fq>,
    pub b1: Query<Fq>,
    pub b2: Query<Fq2>,
    pub c: Query<Fq>,
    pub h: Vec<Affine<Fq>>,
}

struct Section {
    kind: u32,
    from: usize,
    length: usize,
}

/// The purpose of a key: a whole proof, or one half of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Whole,
    Start,
    Rest,
}

impl Key {
    /// Reads the parts of a key that the purpose needs; the rest stays empty.
    pub fn read(bytes: &[u8], part: Part) -> Self {
        let sections = find_sections(bytes);
        let section = |kind: u32| {
            let found = sections.iter().find(|section| section.kind == kind).unwrap();
            Reader::new(&bytes[found.from..found.from + found.length])
        };
        let start = |kind| if part == Part::Rest { Reader::new(&[]) } else { section(kind) };
        let rest = |kind| if part == Part::Start { Reader::new(&[]) } else { section(kind) };
        let mut header = section(2);
        // Skips sizes and values of both moduli. If the key is for another curve, the check of the first proof fails.
        header.take(2 * (4 + 32));
        let [signals, public, domain] = [header.u32(), header.u32(), header.u32()];
        let alpha1 = read_g1(&mut header);
        let beta1 = read_g1(&mut header);
        let beta2 = read_g2(&mut header);
        let _gamma2 = read_g2(&mut header);
        let delta1 = read_g1(&mut header);
        let delta2 = read_g2(&mut header);
        Self {
            signals: signals as usize,
            log_domain: domain.trailing_zeros(),
            alpha1,
            beta1,
            beta2,
            delta1,
            delta2,
            matrices: read_matrices(rest(4)),
            a: read_query(start(5), 0, read_g1, Affine::is_infinity),
            b1: read_query(rest(6), 0, read_g1, Affine::is_infinity),
            b2: read_query(start(7), 0, read_g2, Affine::is_infinity),
            c: read_query(rest(8), public + 1, read_g1, Affine::is_infinity),
            h: read_query(rest(9), 0, read_g1, |_| false).points,
        }
    }
}

fn find_sections(bytes: &[u8]) -> Vec<Section> {
    let mut reader = Reader::new(bytes);
    assert_eq!(reader.take(4), b"zkey");
    let _version = reader.u32();
    let count = reader.u32();
    let mut from = 12;
    let mut sections = Vec::new();
    for _ in 0..count {
        let kind = reader.u32();
        let length = reader.u64() as usize;
        reader.take(length);
        sections.push(Section { kind, from: from + 12, length });
        from += 12 + length;
    }
    sections
}

fn read_query<F>(
    mut reader: Reader,
    first_signal: u32,
    read: fn(&mut Reader) -> Affine<F>,
    is_left_out: fn(&Affine<F>) -> bool,
) -> Query<F> {
    let mut query = Query { points: Vec::new(), signals: Vec::new() };
    let mut signal = first_signal;
    while !reader.is_empty() {
        let point = read(&mut reader);
        if !is_left_out(&point) {
            query.points.push(point);
            query.signals.push(signal);
        }
        signal += 1;
    }
    query
}

fn read_matrices(mut reader: Reader) -> [Vec<Coefficient>; 2] {
    let mut matrices = [Vec::new(), Vec::new()];
    if reader.is_empty() {
        return matrices;
    }
    for _ in 0..reader.u32() {
        let matrix = &mut matrices[reader.u32() as usize];
        let (constraint, signal) = (reader.u32(), reader.u32());
        let value = Fr::from_entry(&reader.bytes_32());
        matrix.push(Coefficient { constraint, signal, value });
    }
    matrices
}

fn read_coordinate(reader: &mut Reader) -> Fq {
    Fq::from_snarkjs(&reader.bytes_32())
}

fn read_g1(reader: &mut Reader) -> Affine<Fq> {
    let x = read_coordinate(reader);
    Affine { x, y: read_coordinate(reader) }
}

fn read_g2(reader: &mut Reader) -> Affine<Fq2> {
    let mut coordinate = || {
        let c0 = read_coordinate(reader);
        Fq2 { c0, c1: read_coordinate(reader) }
    };
    let x = coordinate();
    Affine { x, y: coordinate() }
}
