//! Reads a proving key as snarkjs writes it (`.zkey`, Groth16). Its numbers are in Montgomery's form with
//! R = 2^256; ours is 2^261.

use alloc::vec::Vec;

use sotto_field::{power_of_two, BaseField, Fq, Fr, Modulus, ScalarField};

use crate::field::Fq2;
use crate::point::Affine;
use crate::reader::Reader;

/// One entry of the constraints' matrices.
pub struct Coefficient {
    pub constraint: u32,
    pub signal: u32,
    /// The entry times 2^522: its product with a plain number is in Montgomery's form.
    pub value: Fr,
}

/// Points of the key that belong to signals; those at infinity are left out.
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

impl Key {
    pub fn read(bytes: &[u8]) -> Self {
        let sections = find_sections(bytes);
        let section = |kind: u32| {
            let found = sections.iter().find(|section| section.kind == kind).unwrap();
            Reader::new(&bytes[found.from..found.from + found.length])
        };
        let mut header = section(2);
        // The sizes and values of both moduli: a key for another curve fails its first proof's check.
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
            matrices: read_matrices(section(4)),
            a: read_query(section(5), 0, read_g1, Affine::is_infinity),
            b1: read_query(section(6), 0, read_g1, Affine::is_infinity),
            b2: read_query(section(7), 0, read_g2, Affine::is_infinity),
            c: read_query(section(8), public + 1, read_g1, Affine::is_infinity),
            h: read_query(section(9), 0, read_g1, |_| false).points,
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
    // snarkjs writes an entry times 2^512.
    let factor = Fr::from_raw(power_of_two(ScalarField::P, 522 + 261 - 512));
    for _ in 0..reader.u32() {
        let matrix = &mut matrices[reader.u32() as usize];
        let (constraint, signal) = (reader.u32(), reader.u32());
        let value = Fr::from_raw(Fr::raw_from_le(&reader.bytes_32())).mul(&factor);
        matrix.push(Coefficient { constraint, signal, value });
    }
    matrices
}

fn read_coordinate(reader: &mut Reader) -> Fq {
    let factor = const { Fq::from_raw(power_of_two(BaseField::P, 2 * 261 - 256)) };
    Fq::from_raw(Fq::raw_from_le(&reader.bytes_32())).mul(&factor)
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
