const ERROR_FIELDS = ["category", "code", "fixCommand", "shouldRetry", "isRetryable", "statusCode", "exitCode", "subtype"];

/** The parts of an error that a caller can use without parsing its message: its class, its message and its extra fields. */
export function describeError(error) {
  const source = error?.failure ?? error;
  const fields = ERROR_FIELDS.flatMap((name) => (isPlain(source?.[name]) ? [[name, source[name]]] : []));
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
