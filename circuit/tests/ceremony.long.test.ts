import { copyFile, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { curves } from 'snarkjs'
import { closePhase } from '../ceremony/close-phase.ts'
import { contribute } from '../ceremony/contribute.ts'
import { assertExtends } from '../ceremony/extends.ts'
import { finaliseCeremony } from '../ceremony/finalise.ts'
import { findShortcomings } from '../ceremony/requirements.ts'
import {
  type Contribution,
  type Entry,
  type Transcript,
  PREPARED_FILE,
  fileOf,
  hashTranscript,
} from '../ceremony/transcript.ts'
import { CEREMONY_FILE, readTranscriptIn } from '../ceremony/transcript-file.ts'
import { verifyCeremony } from '../ceremony/verify-ceremony.ts'
import { hashFile, readManifest } from '../manifest.ts'
import { verifyArtefacts } from '../verify-artefacts.ts'
import { compileOnce } from './compile-once.ts'
import { PARTIES, handOver, party, rehearse } from './rehearse.ts'
import { startProverOn } from './start-prover-on.ts'
import { appendSigned, cutAfter, tamper } from './tamper.ts'
import { makeFolder, removeFolders } from './temporary-folders.ts'

const sourceOf = (name: string) => fileURLToPath(new URL(name, import.meta.url))

let keys: string
let r1cs: string
let otherR1cs: string
let wasm: string
let folder: string
let transcript: Transcript

beforeAll(async () => {
  keys = await makeFolder('keys')
  ;({ r1cs, wasm } = await compileOnce(sourceOf('ten-inputs.circom')))
  otherR1cs = (await compileOnce(sourceOf('ten-others.circom'))).r1cs
  folder = await rehearse(r1cs, keys)
  transcript = await readTranscriptIn(folder)
})

afterAll(async () => {
  // Ends the worker threads of snarkjs. They would keep the test process running.
  await (await curves.getCurveFromName('bn128')).terminate()
  await removeFolders()
})

describe('a ceremony of three parties', () => {
  test('verifies file by file and meets every requirement', async () => {
    expect(findShortcomings(await verifyCeremony(folder, r1cs))).toEqual([])
    const kinds = transcript.entries.map((entry) => ('name' in entry ? entry.name : entry.kind))
    expect(kinds).toEqual(['start', ...PARTIES, 'beacon', 'prepared', ...PARTIES, 'beacon'])
  })

  test('writes only the transcript and the files that the transcript names', async () => {
    const named = transcript.entries.flatMap((entry) =>
      entry.kind === 'prepared' ? [entry.file, entry.keyFile] : [entry.file],
    )
    const found = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.'))
    expect(found.sort()).toEqual([...named, 'transcript.json'].sort())
  })

  let artefacts: string
  beforeAll(async () => {
    artefacts = await makeFolder('artefacts')
    await finaliseCeremony(folder, { r1cs, wasm, artefacts })
  })

  test('gives a key and an on-chain key that are not development keys', async () => {
    const manifest = await readManifest(artefacts)
    expect(manifest).toMatchObject({ development: false, ceremony: {} })
    expect(manifest.ceremony?.transcript).toBe(hashTranscript(transcript))
    const rust = await verifyArtefacts(artefacts, { r1cs, ceremony: folder })
    expect(rust).toContain('pub const DEVELOPMENT_KEY: bool = false;')
    expect(await startProverOn(artefacts)).toMatchObject({ out: { development: false } })
    const ptau = join(folder, 'phase1/prepared.ptau')
    const withoutCeremony = verifyArtefacts(artefacts, { r1cs, ptau })
    await expect(withoutCeremony).rejects.toThrow('verified against its whole ceremony')
  })

  test('does not certify another key', async () => {
    const copy = await handOver(artefacts)
    const manifest = await readManifest(copy)
    const fails = async (changed: object, reason: string) => {
      await writeFile(join(copy, 'manifest.json'), JSON.stringify({ ...manifest, ...changed }))
      const { code, err } = await startProverOn(copy)
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(reason) as string })
    }
    const files = { ...manifest.files, 'settle.zkey': manifest.files['vkey.json'] }
    await fails({ files }, 'ended in another key')
    await fails({ r1cs: manifest.files['vkey.json'] }, 'ended in another key')
    const ceremony = { transcript: manifest.files['vkey.json'] }
    await fails({ ceremony }, 'not the transcript that the manifest names')
    await rm(join(copy, CEREMONY_FILE))
    await fails({}, 'cannot be read')
  })

  test('has a transcript that contains every earlier transcript', async () => {
    const kept = cutAfter(3)(transcript)
    expect(() => assertExtends(transcript, kept)).not.toThrow()
    const [first, ada, berta] = kept.entries as [Entry, Entry, Entry]
    const other = { ...kept, entries: [first, berta, ada] }
    expect(() => assertExtends(transcript, other)).toThrow('Entry 1 of the earlier transcript')
  })
})

/** Expects that a copy of the ceremony with a changed transcript is refused. */
const refuses = async (change: (transcript: Transcript) => Transcript, reason: string) =>
  expect(verifyCeremony(await tamper(folder, change), r1cs)).rejects.toThrow(reason)

const changeEntry = (at: number, changes: object) => (whole: Transcript) => ({
  ...whole,
  entries: whole.entries.map((entry, index) => (index === at ? { ...entry, ...changes } : entry)),
})

describe('a ceremony is refused', () => {
  test('if a contribution was dropped', () =>
    refuses(
      (whole) => ({ ...whole, entries: whole.entries.toSpliced(2, 1) }),
      'phase1/0003.ptau where phase1/0002.ptau belongs: an entry was dropped, added or moved',
    ))

  test('if a contribution was dropped and the files were renamed', async () => {
    const copy = await tamper(folder, (whole) => {
      const [start, ada, , chen] = whole.entries
      return { ...whole, entries: [start!, ada!, { ...chen, file: fileOf(1, 2) } as Entry] }
    })
    await rename(join(copy, fileOf(1, 3)), join(copy, fileOf(1, 2)))
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow('signature of Chen')
  })

  test('if the contribution before a beacon was dropped', async () => {
    const copy = await tamper(folder, (whole) => {
      const [start, ada, berta, , beacon] = whole.entries
      const closed = { ...beacon, file: fileOf(1, 3) } as Entry
      return { ...whole, entries: [start!, ada!, berta!, closed] }
    })
    await rename(join(copy, fileOf(1, 4)), join(copy, fileOf(1, 3)))
    const reason = 'phase1/0003.ptau does not extend the file before it'
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow(reason)
  })

  test('if two contributions were exchanged', () =>
    refuses((whole) => {
      const [start, ada, berta, ...rest] = whole.entries as [Entry, Entry, Entry, ...Entry[]]
      return { ...whole, entries: [start, berta, ada, ...rest] }
    }, 'dropped, added or moved'))

  test('if two contributions were exchanged and their file names corrected', () =>
    refuses((whole) => {
      const [start, ada, berta, ...rest] = whole.entries as [Entry, Entry, Entry, ...Entry[]]
      const exchanged = [
        { ...berta, file: ada.file },
        { ...ada, file: berta.file },
      ] as Entry[]
      return { ...whole, entries: [start, ...exchanged, ...rest] }
    }, 'The signature of Berta'))

  const zeros = (bytes: number) => '00'.repeat(bytes)
  test.each<[string, object]>([
    ['name', { name: 'Adam' }],
    ['hash', { hash: zeros(64) }],
    ['time', { at: '2021-07-10T22:00:01Z' }],
    ['file hash', { sha256: zeros(32) }],
  ])('if the %s of a contribution was altered', (_, changes) =>
    refuses(changeEntry(1, changes), '(phase1/0001.ptau) is invalid'),
  )

  test('if the start was altered', () =>
    refuses(changeEntry(0, { power: 9 }), 'The signature of Ada'))
  test('if a beacon was altered', () =>
    refuses(changeEntry(4, { hash: zeros(64) }), 'signature of Ada (phase2/0001.zkey)'))
  test('if the last beacon was altered', () =>
    refuses(changeEntry(9, { hash: zeros(64) }), 'phase2/0004.zkey does not extend'))
  test('if a member was added to an entry', () =>
    refuses(changeEntry(4, { note: 'x' }), 'Entry 4 of the transcript is malformed'))
  test('if a file name points outside its folder', () =>
    refuses(changeEntry(1, { file: '../0001.ptau' }), 'Entry 1 of the transcript is malformed'))
  test('if all contributions before a beacon were dropped', () =>
    refuses(
      (whole) => ({ ...whole, entries: whole.entries.toSpliced(1, 3) }),
      'Entry 1 of the transcript has phase1/0004.ptau',
    ))

  test('if the transcript is not in the form that the program writes', async () => {
    const copy = await handOver(folder)
    await writeFile(join(copy, 'transcript.json'), JSON.stringify(transcript))
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow('not in the form')
  })

  test("if a contributor's file was replaced", async () => {
    const copy = await handOver(folder)
    await copyFile(join(copy, fileOf(2, 1)), join(copy, fileOf(2, 2)))
    const reason = 'phase2/0002.zkey is not the file that the transcript names'
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow(reason)
  })

  test.each(['phase1/0000.ptau', 'phase1/0002.ptau', 'phase1/prepared.ptau', 'phase2/0003.zkey'])(
    'without %s',
    async (file) => {
      const copy = await handOver(folder)
      await rm(join(copy, file))
      await expect(verifyCeremony(copy, r1cs)).rejects.toThrow(`${file} is missing`)
    },
  )

  test('if the powers of tau for phase 2 are not prepared', async () => {
    const bytes = join(folder, fileOf(1, 4))
    const sha256 = await hashFile(bytes)
    const change = (whole: Transcript) => cutAfter(6)(changeEntry(5, { sha256 })(whole))
    const copy = await tamper(folder, change)
    await copyFile(bytes, join(copy, PREPARED_FILE))
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow('is not prepared for phase 2')
  })

  test('if the first key was made from a secret', async () => {
    const bytes = join(folder, fileOf(2, 1))
    const keySha256 = await hashFile(bytes)
    const change = (whole: Transcript) => cutAfter(6)(changeEntry(5, { keySha256 })(whole))
    const copy = await tamper(folder, change)
    await copyFile(bytes, join(copy, fileOf(2, 0)))
    const reason =
      'phase2/0000.zkey is not the key that follows from the circuit and the powers of tau'
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow(reason)
  })

  test('if a participant signed phase 1 with a different key', async () => {
    const copy = await tamper(folder, cutAfter(6))
    const { identity } = await party(keys, 'somebody')
    const { hash, at } = transcript.entries[6] as Contribution
    const claim = { phase: 2, file: fileOf(2, 1), hash, name: 'Ada', at } as const
    await appendSigned(copy, claim, identity)
    await expect(verifyCeremony(copy, r1cs)).rejects.toThrow('Ada used a different key')
  })

  test('if it is verified for another circuit', () =>
    expect(verifyCeremony(folder, otherR1cs)).rejects.toThrow('belongs to a different circuit'))
})

describe('a participant cannot contribute twice to a phase', () => {
  const attempt = async (name: string, key: string) => {
    const copy = await tamper(folder, cutAfter(3))
    const { identity } = await party(keys, key)
    const again = { name, identity, entropy: '' }
    await expect(contribute(copy, r1cs, again, new Date())).rejects.toThrow('already contributed')
  }
  test('under the same name', () => attempt('ada', 'somebody'))
  test('with the same key', () => attempt('Adam', 'Ada'))
})

describe('a key remains a development key', () => {
  /** Drops the ceremony's last steps, and closes the rest with a value that this machine drew. */
  async function closePrivately(count: number): Promise<string> {
    const copy = await tamper(folder, cutAfter(count))
    await closePhase(copy, r1cs, { kind: 'private', hex: '5a'.repeat(32) })
    return copy
  }

  test('if a beacon is not public', async () => {
    const closed = await closePrivately(9)
    const artefacts = await makeFolder('artefacts')
    const options = { r1cs, wasm, artefacts }
    const reason = 'The beacon of phase 2 is not public.'
    await expect(finaliseCeremony(closed, options)).rejects.toThrow(reason)
    await finaliseCeremony(closed, { ...options, rehearsal: true })
    expect((await readManifest(artefacts)).development).toBe(true)

    // A manifest in which someone changed `development` to false by hand is refused too.
    const path = join(artefacts, 'manifest.json')
    const changed = (await readFile(path, 'utf8')).replace(
      '"development": true',
      '"development": false',
    )
    await writeFile(path, changed)
    await expect(verifyArtefacts(artefacts)).rejects.toThrow(
      `its ceremony has a shortcoming: ${reason}`,
    )
    expect(await startProverOn(artefacts)).toEqual({
      code: 1,
      out: undefined,
      err: expect.stringContaining(`its ceremony has a shortcoming: ${reason}`) as string,
    })
  })

  test('if a phase has too few contributors', async () => {
    const shortcomings = findShortcomings(await readTranscriptIn(await closePrivately(8)))
    expect(shortcomings[0]).toBe('Phase 2 has 2 of the 3 contributors that it needs.')
  })

  test('if a phase is open', () => {
    expect(findShortcomings(cutAfter(9)(transcript))).toEqual([
      'Phase 2 is not closed by a beacon.',
    ])
  })
})
