/** Calls back with every JSON line of a stream: split at newlines, JSON.parse, nothing else. */
export function eachLine(stream, onLine) {
  let rest = Buffer.alloc(0);
  stream.on("data", (chunk) => {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      const piece = chunk.subarray(from, newline);
      onLine(JSON.parse((rest.length > 0 ? Buffer.concat([rest, piece]) : piece).toString("utf8")));
      if (rest.length > 0) rest = Buffer.alloc(0);
      from = newline + 1;
    }
    if (from < chunk.length) rest = Buffer.concat([rest, chunk.subarray(from)]);
  });
}
