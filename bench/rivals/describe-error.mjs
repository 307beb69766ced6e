const TELLING = ["category", "code", "fixCommand", "shouldRetry", "isRetryable", "statusCode", "exitCode", "subtype"];

/** What a caller can read from an error without parsing its words: its class, its message and the fields that say more. */
export function describeError(error) {
  const source = error?.failure ?? error;
  const fields = TELLING.flatMap((name) => (isPlain(source?.[name]) ? [[name, source[name]]] : []));
  return {
    name: String(error?.name ?? typeof error),
    className: String(error?.constructor?.name ?? typeof error),
    message: String(error?.message ?? error).slice(0, 400),
    fields: Object.fromEntries(fields),
  };
}

function isPlain(value) {
  return ["string", "number", "boolean"].includes(typeof value);
}
