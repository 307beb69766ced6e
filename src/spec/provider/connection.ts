import type { FailureCode } from "../failure/failure-codes.ts";
import type { JsonObject } from "../json.ts";
import type { PromptRequest } from "../request.ts";

/** The environment of a CLI without the variables that its launch sets. */
export type Surroundings = Readonly<Record<string, string | undefined>>;

/** Why a CLI cannot execute a request. */
export type Refusal = {
  readonly code: FailureCode;
  readonly message: string;
  readonly hint?: string;
  readonly fixCommand?: string;
};

/** A settings file of a CLI: in its home, which a variable may name, or at an absolute path. */
export type SettingsFile = { readonly variable?: string; readonly folder: string; readonly name: string };

/** What a completion takes over of the user's settings: where and as whom the CLI talks. */
export type Connection = {
  /** Variables that the CLI would set itself; they are added to the inherited environment, so that no plan contains them. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the launch of the provider needs. */
  readonly taken?: JsonObject;
  /** Texts of `taken` that may contain a secret, as commands do: no printed plan has them. */
  readonly secrets?: readonly string[];
  /** The model that the user has configured. */
  readonly model?: string;
  /** True if the CLI has what the service of the settings asks for, and no login of its own is needed. */
  readonly needsNoLogin?: boolean;
};

/** What `read` gets besides the settings. */
export type ConnectionAbout = {
  readonly request: PromptRequest;
  /** The model that the target names. */
  readonly model: string | undefined;
  readonly env: Surroundings;
  /** The paths of the files, in their order. */
  readonly paths: readonly string[];
};

/** The connection settings of a CLI whose completions do not read the user's settings. */
export type ConnectionSettings = {
  readonly files: readonly SettingsFile[];
  /** Picks the connection settings of the files, or refuses one that a completion cannot keep to. */
  readonly read: (settings: readonly (JsonObject | undefined)[], about: ConnectionAbout) => Connection | Refusal;
};

/** The value of an environment variable; a name such as `constructor`, which every object inherits, is a variable like any other. */
export function readVariable(env: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(env, name) ? env[name] : undefined;
}
