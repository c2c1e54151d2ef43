//! Makes Groth16 proofs for its parent process, which is `packages/prover`.
//!
//! Input: the proving key, then the circuit's witness program (it may be empty). Each begins with its length (u32,
//! little-endian). Each request then has one byte, two blinding scalars, and other numbers. These are the witness if
//! the byte is 0, and the circuit's inputs if it is 1. Output: the number of values in a witness and the number of
//! inputs (u32 each; 0 inputs without a usable program). Then each answer is one byte and eight numbers. The byte is
//! 0 for a proof, 1 if a number isn't in the field, 2 if the inputs break a rule. A number is 32 little-endian bytes.
//!
//! The process ends when its input ends. The argument is the number of threads, and of requests processed at the same
//! time. Answers have the order of the requests. A single request uses all threads; several requests share them.
#![forbid(unsafe_code)]

use std::alloc::System;
use std::fs::File;
use std::io::{self, Read, Stdout, Write};
use std::os::fd::AsFd;
use std::sync::{Condvar, Mutex};

use sotto_groth16::{Key, Part, Program, Proof, Prover, Refusal, Scalar, Wiping, PROOF_NUMBERS};

#[global_allocator]
static ALLOCATOR: Wiping<System> = Wiping(System);

const MADE: u8 = 0;
const NOT_AN_ELEMENT: u8 = 1;
const BROKEN_RULE: u8 = 2;
/// More than eight threads don't make a proof of this size faster.
const THREADS_MAX: usize = 8;

/// The state that all threads share.
struct Work {
    prover: Prover,
    program: Option<Program>,
    requests: Mutex<Requests>,
    answers: Mutex<Answers>,
    /// Notified after each answer.
    answered: Condvar,
}

struct Requests {
    input: File,
    read: usize,
}

struct Answers {
    output: Stdout,
    written: usize,
}

fn main() -> io::Result<()> {
    let threads: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let threads = threads.clamp(1, THREADS_MAX);
    // The standard library's own reader would keep a copy of the inputs in its buffer.
    let mut input = File::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut output = io::stdout();
    let prover = Prover::new(Key::read(&read_file(&mut input)?, Part::Whole), threads);
    let program =
        Program::read(&read_file(&mut input)?).filter(|one| one.values() == prover.signals());
    output.write_all(&(prover.signals() as u32).to_le_bytes())?;
    output.write_all(&(program.as_ref().map_or(0, Program::inputs) as u32).to_le_bytes())?;
    output.flush()?;

    let work = Work {
        prover,
        program,
        requests: Mutex::new(Requests { input, read: 0 }),
        answers: Mutex::new(Answers { output, written: 0 }),
        answered: Condvar::new(),
    };
    let serve = || {
        // Without this exit, the other threads would wait forever for this thread's answer.
        if work.serve().is_err() {
            std::process::exit(1);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(serve);
        }
        serve();
    });
    Ok(())
}

impl Work {
    /// Takes requests until the input ends. Threads take them in turn.
    fn serve(&self) -> io::Result<()> {
        while let Some((index, from_inputs, numbers)) = self.next_request()? {
            let proof =
                prove(&self.prover, self.program.as_ref().filter(|_| from_inputs), &numbers);
            // The allocator wipes the numbers.
            drop(numbers);
            self.answer(index, proof)?;
        }
        Ok(())
    }

    /// The next request: its index, whether it contains inputs, and its numbers. `None` at the end of the input.
    fn next_request(&self) -> io::Result<Option<(usize, bool, Vec<Scalar>)>> {
        let Requests { input, read } = &mut *self.requests.lock().unwrap();
        let Some(from_inputs) = read_kind(input)? else { return Ok(None) };
        let inputs = self.program.as_ref().map_or(0, Program::inputs);
        let count = 2 + if from_inputs { inputs } else { self.prover.signals() };
        let mut numbers: Vec<Scalar> = vec![[0; 32]; count];
        if !read_whole(input, numbers.as_flattened_mut())? {
            return Ok(None);
        }
        *read += 1;
        Ok(Some((*read - 1, from_inputs, numbers)))
    }

    /// Writes an answer after the answers of all earlier requests.
    fn answer(&self, index: usize, proof: Result<Proof, Refusal>) -> io::Result<()> {
        let (state, proof) = match proof {
            Ok(proof) => (MADE, proof.numbers()),
            Err(Refusal::NotAnElement) => (NOT_AN_ELEMENT, [[0; 32]; PROOF_NUMBERS]),
            Err(Refusal::BrokenRule) => (BROKEN_RULE, [[0; 32]; PROOF_NUMBERS]),
        };
        let answers = self.answers.lock().unwrap();
        let mut answers = self.answered.wait_while(answers, |one| one.written < index).unwrap();
        answers.output.write_all(&[state])?;
        answers.output.write_all(proof.as_flattened())?;
        answers.output.flush()?;
        answers.written += 1;
        self.answered.notify_all();
        Ok(())
    }
}

/// Makes a proof from a witness or, if `program` is given, from the circuit's inputs.
fn prove(prover: &Prover, program: Option<&Program>, numbers: &[Scalar]) -> Result<Proof, Refusal> {
    let (blinding, given) = numbers.split_at(2);
    let computed = program.map(|one| one.run(given)).transpose()?;
    let witness = computed.as_deref().unwrap_or(given);
    if witness.len() != prover.signals() {
        return Err(Refusal::NotAnElement);
    }
    prover.prove(witness, &blinding[0], &blinding[1]).ok_or(Refusal::NotAnElement)
}

fn read_file(input: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 4];
    input.read_exact(&mut length)?;
    let mut file = vec![0; u32::from_le_bytes(length) as usize];
    input.read_exact(&mut file)?;
    Ok(file)
}

/// True if the circuit's inputs come next, false if a witness comes next; `None` if there is no further request.
fn read_kind(input: &mut impl Read) -> io::Result<Option<bool>> {
    let mut kind = [0];
    Ok(read_whole(input, &mut kind)?.then_some(kind == [1]))
}

/// Fills the buffer; false if the input ends first, even if it ends in the middle of the buffer.
fn read_whole(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}
