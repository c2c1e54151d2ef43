// SPDX-License-Identifier: GPL-3.0-only
pragma circom 2.2.0;

include "circomlib/circuits/babyjub.circom";
include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/comparators.circom";
include "circomlib/circuits/eddsaposeidon.circom";
include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/switcher.circom";

// The root of the Merkle tree that holds `leaf` at position `leafIndex`. A node has four children. Two bits of the
// index belong to each level, and the lowest two bits belong to the leaf's level. The low bit swaps the node with its
// nearest sibling, the high bit swaps that pair with the other pair.
//
// The index is decomposed into exactly two bits a level. With more bits, one leaf could be proved at many
// indexes whose low bits are equal, and each index would give the note another nullifier.
template MerkleRoot(levels) {
    signal input leaf;
    signal input leafIndex;
    signal input path[3 * levels];
    signal output root;

    signal bit[2 * levels] <== Num2Bits(2 * levels)(leafIndex);

    component pair[levels];
    component first[levels];
    component second[levels];
    signal node[levels + 1];
    node[0] <== leaf;
    for (var level = 0; level < levels; level++) {
        pair[level] = Switcher();
        pair[level].sel <== bit[2 * level];
        pair[level].L <== node[level];
        pair[level].R <== path[3 * level];
        first[level] = Switcher();
        first[level].sel <== bit[2 * level + 1];
        first[level].L <== pair[level].outL;
        first[level].R <== path[3 * level + 1];
        second[level] = Switcher();
        second[level].sel <== bit[2 * level + 1];
        second[level].L <== pair[level].outR;
        second[level].R <== path[3 * level + 2];
        node[level + 1] <== Poseidon(4)([
            first[level].outL, second[level].outL, first[level].outR, second[level].outR
        ]);
    }
    root <== node[levels];
}

// If `isSigned` is 1, requires the owner's EdDSA signature of `message`. The owner must be on the curve, its multiple
// by 8 must not be the identity, and S must be below the subgroup's order. If `isSigned` is 0, any owner is accepted.
// Even then, S must be below 2^253 and R8 must be on the curve, such as 0 and (0, 1).
template OwnerSignature() {
    signal input isSigned;
    signal input claim[2];
    signal input message;
    signal input S;
    signal input R8x;
    signal input R8y;

    // Without a signature the verifier uses the base point. So its arithmetic works for every claim, even for a
    // recipient address, or an owner who can never sign.
    var BASE8[2] = [
        5299619240641551281634865583518297030282874472190772894086521144482721001553,
        16950150798460657717958625567821834550301663161624707787222815936182638968203
    ];
    signal ownerX <== BASE8[0] + isSigned * (claim[0] - BASE8[0]);
    signal ownerY <== BASE8[1] + isSigned * (claim[1] - BASE8[1]);

    // circomlib's verifier doesn't check either point. Its additions are complete only on the curve.
    BabyCheck()(ownerX, ownerY);
    BabyCheck()(R8x, R8y);
    EdDSAPoseidonVerifier()(isSigned, ownerX, ownerY, S, R8x, R8y, message);
}

// One settlement of a note. Value leaves the pool, and the rest of the note, the change, becomes a
// new note. Until the expiry (refund = 0), a transfer pays its recipient, and a balance pays the
// payee that its owner signs for. In the window after the expiry (refund = 1), the whole note is
// refunded to its sender, without the owner. The nullifier is the same in both periods, so a note
// is settled at most once.
//
// Everything that the program needs for paying is public. The rest stays hidden: the note's kind, the party that isn't
// paid, its times and the value of its change.
template Settle(levels, maxLifeSeconds, refundWindowSeconds, maxDepositSeconds) {
    // Public inputs, in the order in which the program passes them.
    signal input root;
    signal input nullifier;
    signal input assetHash;
    signal input payout;
    signal input fee;
    signal input payeeHi;
    signal input payeeLo;
    signal input time;
    signal input refund;
    signal input changeLeaf;

    // Private inputs: the rest of the note, the key that hides it, and its place in the tree. The claim
    // of a transfer is recipientHi, recipientLo, amountOut; the claim of a balance is ownerX, ownerY, 0.
    signal input deadline;
    signal input expiry;
    signal input senderHi;
    signal input senderLo;
    signal input nk;
    signal input isBalance;
    signal input claim[3];
    signal input leafIndex;
    signal input path[3 * levels];

    // The change, the key that hides it, and its deadline. The last four inputs are an owner's signature and its last
    // valid time.
    signal input change;
    signal input changeNk;
    signal input changeDeadline;
    signal input validUntil;
    signal input S;
    signal input R8x;
    signal input R8y;

    // Each amount is below 2^64, so the sum can't wrap around the field. So no settlement pays more
    // than the note's value.
    _ <== Num2Bits(64)(payout);
    _ <== Num2Bits(64)(fee);
    _ <== Num2Bits(64)(change);
    signal value <== payout + fee + change;

    // Membership. A leaf is a hash of five inputs, so it differs from the tree's nodes and from
    // claims, which are hashes of four. The program never appends either of these as a leaf.
    isBalance * (1 - isBalance) === 0;
    signal claimHash <== Poseidon(4)([1 + isBalance, claim[0], claim[1], claim[2]]);
    signal inner <== Poseidon(3)([nk, claimHash, expiry]);
    signal senderHash <== Poseidon(2)([senderHi, senderLo]);
    signal leaf <== Poseidon(5)([assetHash, value, deadline, senderHash, inner]);
    signal computedRoot <== MerkleRoot(levels)(leaf, leafIndex, path);
    root === computedRoot;

    // The leaf and its place determine the nullifier: `inner` fixes `nk`, and the path fixes the
    // index. So two equal leaves at two places are two notes.
    signal computedNullifier <== Poseidon(2)([nk, leafIndex]);
    nullifier === computedNullifier;

    // The change keeps asset, sender, claim and life of its note. A payment may postpone deadline
    // and expiry, both by the same time. Constraints for this are below.
    signal changeExpiry <== expiry + changeDeadline - deadline;
    signal changeInner <== Poseidon(3)([changeNk, claimHash, changeExpiry]);
    signal computedChange <== Poseidon(5)([
        assetHash, change, changeDeadline, senderHash, changeInner
    ]);
    changeLeaf === computedChange;

    // A refund pays the whole value: if the sum of two numbers below 2^64 is zero, both are zero.
    refund * (fee + change) === 0;
    refund * (payeeHi - senderHi) === 0;
    refund * (payeeLo - senderLo) === 0;

    // The delivery of a transfer pays the recipient the agreed amount. The rest is the fee.
    signal isDelivery <== (1 - isBalance) * (1 - refund);
    isDelivery * (payeeHi - claim[0]) === 0;
    isDelivery * (payeeLo - claim[1]) === 0;
    isDelivery * (payout - claim[2]) === 0;
    isDelivery * change === 0;

    // A payment of a balance needs the owner's signature of everything that can differ between two
    // settlements of the note. The message contains the change's leaf. So it also fixes the
    // change's times, the asset and, by the asset's hash, the pool.
    isBalance * claim[2] === 0;
    signal isSigned <== isBalance * (1 - refund);
    signal message <== Poseidon(7)([nullifier, payeeHi, payeeLo, payout, fee, changeLeaf, validUntil]);
    OwnerSignature()(isSigned, [claim[0], claim[1]], message, S, R8x, R8y);

    // All times are below 2^40 (about 34,000 years), so the comparisons treat them as integers.
    // Without these bounds, a time just below the field's modulus would count as negative.
    _ <== Num2Bits(40)(time);
    _ <== Num2Bits(40)(deadline);
    _ <== Num2Bits(40)(expiry);
    _ <== Num2Bits(40)(changeDeadline);
    _ <== Num2Bits(40)(validUntil);

    // The program closes Nullifiers without knowing the expiry. So the time from deadline to
    // expiry is limited here. The comparison has 41 bits, because the sum can exceed 2^40.
    signal isShortLived <== LessEqThan(41)([expiry, deadline + maxLifeSeconds]);
    isShortLived === 1;

    // refund = 0 needs time <= expiry, and refund = 1 needs expiry < time. One comparison decides
    // both. Its result is always a bit, so this equality also makes `refund` a bit.
    signal isNotExpired <== LessEqThan(40)([time, expiry]);
    isNotExpired === 1 - refund;

    // A refund also needs time <= expiry + window. If refund = 0, this is always true.
    signal isInWindow <== LessEqThan(41)([time, expiry + refundWindowSeconds]);
    isInWindow === 1;

    // A signed payment can't be settled after its last time.
    signal isTooLate <== LessThan(40)([validUntil, time]);
    isSigned * isTooLate === 0;

    // Only a payment may postpone the times of a note. A refund or a delivery may not.
    (1 - isSigned) * (changeDeadline - deadline) === 0;

    // A payment never makes the times earlier. So changeExpiry is at least the expiry and can't
    // wrap around the field. After a wrap, no one could settle the change.
    signal isNotEarlier <== LessEqThan(40)([deadline, changeDeadline]);
    isNotEarlier === 1;

    // A payment's change may have a deadline of at most maxDepositSeconds after the payment's time.
    // The program allows a time of at most SKEW after its clock t. So the deadline of every note that
    // is made at t is at most t + SKEW + maxDepositSeconds. Its expiry is at most maxLifeSeconds
    // later, because the change has the life of its note. The life of Nullifiers relies on these two
    // bounds. Only a payment needs this check: a delivery's change keeps the deadline of its note.
    signal isTooFar <== LessThan(41)([time + maxDepositSeconds, changeDeadline]);
    isSigned * isTooFar === 0;
}

// The program has the same constants. The tree has 4^13 leaves. A life is 30 days and an hour. The
// refund window is 30 days. A deadline is at most an hour ahead.
component main {
    public [root, nullifier, assetHash, payout, fee, payeeHi, payeeLo, time, refund, changeLeaf]
} = Settle(13, 2595600, 2592000, 3600);
