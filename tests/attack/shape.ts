/** A hostile answer text that can be made in any size; `make` returns about this many bytes of UTF-8. */
export type Shape = { readonly name: string; readonly make: (bytes: number) => string };

/** The host tool that is bound when a shape is read; shapes that look like calls name it. */
export const SHAPE_TOOL = "get_weather";

/** A call as text, without its number. */
export const SHAPE_CALL: string = `{"name":"${SHAPE_TOOL}","args":{"city":"Oslo"}}`;

/** Stands for the mark of the conversation, without which no call counts. */
export const SHAPE_MARK = "{{mark}}";

/** The beginning of an envelope, up to its calls. */
export const SHAPE_OPENING: string = `{"mark":"${SHAPE_MARK}","tool_calls":[`;

/** An envelope with one call. */
export const SHAPE_ENVELOPE: string = `${SHAPE_OPENING}${SHAPE_CALL}]}`;

/** A shape that repeats a unit between a beginning and an end. */
export function repeated(name: string, unit: string, start = "", end = ""): Shape {
  return { name, make: (bytes) => `${start}${fill(unit, bytes)}${end}` };
}

/** A shape of lines that depend on their number. */
export function numbered(name: string, line: (number: number) => string, start = "", end = ""): Shape {
  return {
    name,
    make(bytes) {
      const lines: string[] = [];
      for (let size = 0; size < bytes; ) {
        const next = line(lines.length);
        lines.push(next);
        size += Buffer.byteLength(next);
      }
      return `${start}${lines.join("")}${end}`;
    },
  };
}

/** A shape of openings, a middle and as many closings. */
export function nested(name: string, open: string, middle: string, close: string): Shape {
  return {
    name,
    make(bytes) {
      const depth = Math.ceil(bytes / (Buffer.byteLength(open) + Buffer.byteLength(close)));
      return `${open.repeat(depth)}${middle}${close.repeat(depth)}`;
    },
  };
}

/** A unit repeated up to this many bytes. */
export function fill(unit: string, bytes: number): string {
  return unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));
}
