//! Makes Groth16 proofs for its parent process, which is `packages/prover`.
//!
//! Input: the proving key's length (u32, little-endian) and the key; then for each proof two blinding scalars and
//! the witness. Output: the number of values in a witness (u32); then for each proof one byte, 0 if the proof was
//! made, and eight numbers. Numbers are 32 little-endian bytes. The process ends at the end of its input.
#![forbid(unsafe_code)]

use std::io::{self, Read, Write};

use sotto_groth16::{Key, Part, Prover, Scalar, PROOF_NUMBERS};

const MADE: u8 = 0;
const NOT_AN_ELEMENT: u8 = 1;
/// More threads don't make a proof of this size faster.
const THREADS_MAX: usize = 8;

fn main() -> io::Result<()> {
    let threads = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let prover = Prover::new(Key::read(&read_key(&mut input)?, Part::Whole), threads.clamp(1, THREADS_MAX));
    output.write_all(&(prover.signals() as u32).to_le_bytes())?;
    output.flush()?;

    let mut numbers: Vec<Scalar> = vec![[0; 32]; prover.signals() + 2];
    while read_numbers(&mut input, &mut numbers)? {
        let (blinding, witness) = numbers.split_at(2);
        let proof = prover.prove(witness, &blinding[0], &blinding[1]);
        numbers.fill([0; 32]);
        let (state, proof) = match proof {
            Some(proof) => (MADE, proof.numbers()),
            None => (NOT_AN_ELEMENT, [[0; 32]; PROOF_NUMBERS]),
        };
        output.write_all(&[state])?;
        output.write_all(proof.as_flattened())?;
        output.flush()?;
    }
    Ok(())
}

fn read_key(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let mut key = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut key)?;
    Ok(key)
}

/// Reads the numbers; false at the end of the input, even in the middle of the numbers.
fn read_numbers(input: &mut impl Read, numbers: &mut [Scalar]) -> io::Result<bool> {
    match input.read_exact(numbers.as_flattened_mut()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
