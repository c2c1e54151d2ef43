/** Thrown if a record fails a check, or if records are missing at the log's end. The file is left unchanged. */
export class DamagedLog extends Error {
  constructor(path: string, offset: number, why: string, options?: ErrorOptions) {
    super(
      `${path} is damaged: the record at byte ${offset} can't be trusted (${why}). ` +
        'Restore the folder from a copy, or delete it to start an empty chain.',
      options,
    )
  }
}

/** Thrown if the data folder and the command line contradict each other. */
export class DataFolderConflict extends Error {}

/** Thrown if another running process uses the data folder. */
export class DataFolderLocked extends Error {}
