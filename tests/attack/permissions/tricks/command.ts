/** Gives a command that leaves the file when a shell runs it; the path has no characters that a shell would change. */
export type ToCommand = (file: string) => string;

/** Commands by the name of their trick. */
export type Commands = Readonly<Record<string, ToCommand>>;
