// An answer that is an object of a known type. Usage: langchain-structured-output.ts [provider[/model]]
import { RunError, toChatModel } from "coxswain/langchain";
import { z } from "zod";

const Person = z.object({
  name: z.string().describe("First and last name"),
  born: z.int().describe("Year of birth"),
  knownFor: z.array(z.string()).min(1),
});

const model = toChatModel(process.argv[2] ?? "claude").withStructuredOutput(Person);

try {
  const person = await model.invoke("Ada Lovelace, born in London in 1815, wrote the first published program.");
  console.log(`${person.name}, born ${person.born}, known for ${person.knownFor.join(" and ")}`);
} catch (error) {
  if (!RunError.is(error)) throw error;
  console.error(`${error.failure.message}\n${error.failure.hint}`);
  process.exitCode = 1;
}
