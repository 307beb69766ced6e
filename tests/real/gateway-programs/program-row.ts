import type { JsonObject } from "../../../src/spec/json.ts";

/** Where a program runs: the address of the gateway, its home and its working directory. */
export type ProgramPlace = { readonly url: string; readonly home: string; readonly workspace: string };

/** A foreign program whose model API is the gateway. */
export type ProgramRow = {
  readonly name: string;
  /** The folder of its node_modules below .cache/real-clis. */
  readonly folder: string;
  readonly command: string;
  readonly args: (prompt: string) => readonly string[];
  /** Its variables; it also writes its files of settings here. */
  readonly prepare: (place: ProgramPlace) => Readonly<Record<string, string>>;
  /** The path of the gateway that it asks. */
  readonly path: string;
  /** Its own tools that write a file, read it, and read one that does not exist. */
  readonly steps: (workspace: string) => readonly { readonly name: string; readonly args: JsonObject }[];
};
