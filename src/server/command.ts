/** What a command says goes to the terminal; nothing else is written there. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs a command of the terminal to its end. An error becomes its sentence and exit code 1. */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Sets words that begin with `--` apart from the others.
 * @throws Error naming an option that the command does not have.
 */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
): { words: string[]; options: string[] } {
  const options = args.filter((word) => word.startsWith('--'))
  const [odd] = options.filter((option) => !known.includes(option))
  if (odd !== undefined) throw new Error(`There is no option ${odd}. There is ${known.join(', ') || 'none'}.`)
  return { words: args.filter((word) => !word.startsWith('--')), options }
}
