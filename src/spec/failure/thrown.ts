/** The message of a thrown value, which need not be an Error. */
export function thrownMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of a thrown system error, such as ENOENT; undefined for every other value. */
export function thrownCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
