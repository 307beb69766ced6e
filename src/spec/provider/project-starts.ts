/**
 * A place in a project whose files an agent of a CLI executes, or by which it starts programs. Paths are relative to a folder of the project. A provider lists
 * its places in `projectStarts`: they are shown before a project is trusted and in the warning `project-not-trusted`, and its `launch` keeps the CLI
 * from them unless `trustProject` is true. If no flag keeps the CLI from a place, that place is `unavoidable`: the run is refused where it exists.
 * tests/real/hostile has a row for each CLI, whose plants must leave no mark.
 */
export type ProjectStart = (
  | {
      /** A settings file: JSON with comments, or TOML by its ending. */
      readonly file: string;
      /** The settings that name programs, with dots for those inside of others (`tools.discoveryCommand`); without them the file as such. */
      readonly keys?: readonly string[];
    }
  | {
      /** A folder whose entries are executed. */
      readonly folder: string;
      /** The ending of such entries; any entry by default. */
      readonly ending?: string;
    }
) & {
  readonly unavoidable?: true;
  /** The CLI looks for it in every folder up to the root of the file system; the user's home is not the project's. */
  readonly everyFolder?: true;
};
