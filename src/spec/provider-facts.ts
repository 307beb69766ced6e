/** Words of a program that mean something: every condition given must hold. */
export type ProgramSign = { readonly exitCode?: number; readonly text?: RegExp };

/** How to tell whether a CLI is logged in without spending anything and without reading a secret. */
export type LoginStatus = {
  /** Its own word on it; only where asking is quick and needs no network. It is asked without API keys in its environment. */
  readonly command?: {
    readonly args: readonly string[];
    readonly loggedIn: ProgramSign;
    readonly loggedOut: ProgramSign;
  };
  /** Files that are there when somebody has logged in; only their presence is looked at. */
  readonly files?: {
    /** The variable that names the CLI's home. */
    readonly variable?: string;
    /** Where that is when the variable is not set, below the user's home. */
    readonly folder: string;
    readonly names: readonly string[];
  };
  /** Variables that are a login by themselves; the API keys by default. */
  readonly env?: readonly string[];
  /** Variables that go before the login when they are set, and may bill another account. */
  readonly keysFirst?: readonly string[];
  /** True where nothing else can be a login: if none of these is there, nobody is logged in. */
  readonly isComplete?: boolean;
};

/** What must be there besides a CLI's own program. A path is absolute, below the user's home (`~/`), or beside that program. */
export type Requirements = { readonly files?: readonly string[]; readonly binaries?: readonly string[] };

/** Whose configuration file a provider was read from: the user's own, that of the project at hand, or one that the caller named. */
export type ProviderOrigin = { readonly path: string; readonly scope: "user" | "project" | "given" };

/** Words in the names of a CLI's models, in lower case; by them Coxswain reads whose limit a message is about. */
export type ModelWords = {
  /** In the names of so many models that they tell none from another. */
  readonly brands: readonly string[];
  /** Each names a group of models that may have a limit of its own. */
  readonly families: readonly string[];
};
