globalThis.AI_SDK_LOG_WARNINGS = false;

/** Reads a whole `streamText()` part by part; its error parts are thrown. */
export async function readAiSdkStream(streamText, options, onText) {
  const result = streamText({ ...options, onError: () => {} });
  let text = "";
  for await (const part of result.stream) {
    if (part.type === "error") throw part.error;
    if (part.type === "abort") throw new DOMException("The stream reported its abort.", "AbortError");
    if (part.type !== "text-delta") continue;
    onText();
    text += part.text;
  }
  return text;
}
