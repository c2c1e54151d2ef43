/** The log fails a check before its end. The file was not changed. */
export class DamagedLog extends Error {
  constructor(path: string, offset: number, why: string, options?: ErrorOptions) {
    super(
      `${path} is damaged: the record at byte ${offset} can't be trusted (${why}). ` +
        'Restore the folder from a copy, or delete it to start an empty chain.',
      options,
    )
  }
}

/** The data folder and the command line contradict each other. */
export class DataFolderConflict extends Error {}

/** Another living process uses the data folder. */
export class DataFolderLocked extends Error {}
