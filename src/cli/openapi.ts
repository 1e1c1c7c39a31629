import { readFile, writeFile } from 'node:fs/promises';

import { Option, type Command } from 'commander';

/** `continuity-gate openapi`: the API document, from the routes themselves. */
export function addOpenapi(program: Command): void {
  program
    .command('openapi')
    .summary('write the OpenAPI document of the service, or check a copy of it')
    .description(
      'Writes the OpenAPI document that the service serves at /openapi.json: to stdout, or to a file. Needs neither a running service nor a database.',
    )
    .option('--output <file>', 'write the document to this file')
    .addOption(
      new Option('--check <file>', 'write nothing; tell whether this file is the document').conflicts(
        'output',
      ),
    )
    .addHelpText('after', '\nExit status: 0; 1 when the file differs, or cannot be read or written.')
    .action(writeOrCheck);
}

interface OpenapiOptions {
  readonly output?: string;
  readonly check?: string;
}

async function writeOrCheck({ output, check }: OpenapiOptions, command: Command): Promise<void> {
  // Only here: the whole service takes its time to load, and no other command needs it.
  const { generateDocument } = await import('./generate-document.js');
  const document = await generateDocument();
  if (check !== undefined) {
    if ((await read(check, command)) !== document) {
      fail(command, `${check} is not the document of this program. Regenerate it with \`npm run openapi\`.`);
    }
  } else if (output !== undefined) {
    await write(output, document, command);
  } else {
    process.stdout.write(document);
  }
}

async function read(file: string, command: Command): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail(command, `${file} cannot be read (${error.message}). Make it with \`npm run openapi\`.`);
  }
}

async function write(file: string, document: string, command: Command): Promise<void> {
  try {
    await writeFile(file, document);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    fail(command, `${file} cannot be written: ${error.message}.`);
  }
}

function fail(command: Command, message: string): never {
  return command.error(message, { exitCode: 1, code: 'document_differs' });
}
