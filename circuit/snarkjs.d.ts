// snarkjs publishes no types. This file declares the functions that this folder calls, as version 0.7.6 defines them.
declare module 'snarkjs' {
  export type Bytes = string | Uint8Array | { type: 'mem'; data?: Uint8Array }
  export type G1Point = [string, string, string]
  export type G2Point = [[string, string], [string, string], [string, string]]

  export interface VerificationKey {
    protocol: string
    curve: string
    nPublic: number
    vk_alpha_1: G1Point
    vk_beta_2: G2Point
    vk_gamma_2: G2Point
    vk_delta_2: G2Point
    IC: G1Point[]
  }
  export interface Groth16Proof {
    pi_a: G1Point
    pi_b: G2Point
    pi_c: G1Point
  }
  export interface Logger {
    debug(line: string): void
    info(line: string): void
    warn(line: string): void
    error(line: string): void
  }
  export interface Curve {
    name: string
    terminate(): Promise<void>
  }

  export const curves: {
    getCurveFromName(name: string, options?: { singleThread: boolean }): Promise<Curve>
  }
  export const powersOfTau: {
    newAccumulator(curve: Curve, power: number, file: Bytes, logger?: Logger): Promise<Uint8Array>
    contribute(
      from: Bytes,
      to: Bytes,
      name: string,
      entropy: string,
      logger?: Logger,
    ): Promise<Uint8Array>
    beacon(
      from: Bytes,
      to: Bytes,
      name: string,
      beaconHex: string,
      iterationsExp: number,
      logger?: Logger,
    ): Promise<Uint8Array | false>
    preparePhase2(from: Bytes, to: Bytes, logger?: Logger): Promise<void>
    verify(file: Bytes, logger?: Logger): Promise<boolean>
  }
  export const zKey: {
    newZKey(r1cs: Bytes, ptau: Bytes, zkey: Bytes, logger?: Logger): Promise<Uint8Array | -1>
    contribute(
      from: Bytes,
      to: Bytes,
      name: string,
      entropy: string,
      logger?: Logger,
    ): Promise<Uint8Array>
    beacon(
      from: Bytes,
      to: Bytes,
      name: string,
      beaconHex: string,
      iterationsExp: number,
      logger?: Logger,
    ): Promise<Uint8Array | false>
    verifyFromInit(initial: Bytes, ptau: Bytes, zkey: Bytes, logger?: Logger): Promise<boolean>
    verifyFromR1cs(r1cs: Bytes, ptau: Bytes, zkey: Bytes, logger?: Logger): Promise<boolean>
    exportVerificationKey(zkey: Bytes, logger?: Logger): Promise<VerificationKey>
  }
  export const wtns: {
    calculate(input: Record<string, unknown>, wasm: Bytes, to: Bytes): Promise<void>
    check(r1cs: Bytes, wtns: Bytes, logger?: Logger): Promise<boolean>
  }
  export const groth16: {
    prove(zkey: Bytes, wtns: Bytes): Promise<{ proof: Groth16Proof; publicSignals: string[] }>
    verify(vkey: VerificationKey, publicSignals: string[], proof: Groth16Proof): Promise<boolean>
  }
}
