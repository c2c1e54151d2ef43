// SPDX-License-Identifier: GPL-3.0-only
pragma circom 2.2.0;

include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/comparators.circom";
include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/switcher.circom";

// The root of the Merkle tree that holds `leaf` at position `leafIndex`, given the siblings from the
// leaf's level upwards. Bit 0 of the index belongs to the leaf's level; a set bit says that the node
// so far is the right child.
//
// The index is decomposed into exactly `depth` bits. Without that bound one leaf would be found at
// many indexes that agree in their low bits, and each would give the note another nullifier.
template MerkleRoot(depth) {
    signal input leaf;
    signal input leafIndex;
    signal input path[depth];
    signal output root;

    signal isRight[depth] <== Num2Bits(depth)(leafIndex);

    component order[depth];
    signal node[depth + 1];
    node[0] <== leaf;
    for (var level = 0; level < depth; level++) {
        order[level] = Switcher();
        order[level].sel <== isRight[level];
        order[level].L <== node[level];
        order[level].R <== path[level];
        node[level + 1] <== Poseidon(2)([order[level].outL, order[level].outR]);
    }
    root <== node[depth];
}

// One note leaves the pool: to its recipient until it expires (refund = 0), or back to its sender in
// the window after that (refund = 1). The times of the two never overlap, and both have the one
// nullifier, so that no note is settled twice.
//
// Everything that the program pays by is public and also part of the leaf. What is part of the leaf
// and isn't public (expiry, the other party, the fee of a delivery) stays hidden.
template Settle(depth, refundWindowSeconds) {
    // Public inputs, in the order in which the program passes them.
    signal input root;
    signal input nullifier;
    signal input assetHash;
    signal input amount;
    signal input feeBack;
    signal input payeeHi;
    signal input payeeLo;
    signal input time;
    signal input refund;

    // Private inputs: the rest of the note, the key that hides it, and its place in the tree.
    signal input fee;
    signal input expiry;
    signal input nk;
    signal input recipientHi;
    signal input recipientLo;
    signal input senderHi;
    signal input senderLo;
    signal input leafIndex;
    signal input path[depth];

    // Membership. The leaf's arity of six keeps it apart from the tree's nodes, whose arity is two.
    signal inner <== Poseidon(3)([nk, recipientHi, recipientLo]);
    signal senderHash <== Poseidon(2)([senderHi, senderLo]);
    signal leaf <== Poseidon(6)([assetHash, amount, fee, expiry, senderHash, inner]);
    signal computedRoot <== MerkleRoot(depth)(leaf, leafIndex, path);
    root === computedRoot;

    // The nullifier follows from the leaf and its place alone: `nk` is bound through `inner`, the
    // index through the path. Two equal leaves at two places are two notes.
    signal computedNullifier <== Poseidon(2)([nk, leafIndex]);
    nullifier === computedNullifier;

    // A delivery pays the recipient, a refund the sender. This selects only because `refund` is a bit,
    // which the comparison at the end makes it. The program
    // builds the public halves from 32 bytes, so they are below 2^128; a note whose own halves aren't
    // can't be settled by anyone.
    payeeHi === recipientHi + refund * (senderHi - recipientHi);
    payeeLo === recipientLo + refund * (senderLo - recipientLo);

    // A refund gives the fee back. A delivery shows zero, which tells nothing about the fee.
    feeBack === refund * fee;

    // Both times are below 2^40 (some 34,000 years), so that the comparisons are those of integers:
    // without these bounds a time just below the field's modulus would pass for a negative one.
    _ <== Num2Bits(40)(time);
    _ <== Num2Bits(40)(expiry);

    // A delivery needs time <= expiry and a refund needs expiry < time: one comparison decides both.
    // Its result is a bit by construction, so this equality is also what makes `refund` a bit.
    signal isNotExpired <== LessEqThan(40)([time, expiry]);
    isNotExpired === 1 - refund;

    // A refund also needs time <= expiry + window. A delivery fulfils it in any case. 41 bits, because
    // the sum can exceed 2^40.
    signal isInWindow <== LessEqThan(41)([time, expiry + refundWindowSeconds]);
    isInWindow === 1;
}

// A tree of 2^26 leaves and a refund window of 30 days, as in the program's constants.
component main {
    public [root, nullifier, assetHash, amount, feeBack, payeeHi, payeeLo, time, refund]
} = Settle(26, 2592000);
