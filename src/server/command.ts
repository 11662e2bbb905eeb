/** Prints a line to standard output. Commands print nothing else. */
export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Runs a terminal command. An error prints its message and sets exit code 1. */
export async function runCommand(work: (args: string[]) => Promise<void>): Promise<void> {
  try {
    await work(process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}

/**
 * Separates options, which begin with `--`, from the other arguments.
 * @throws Error for an option that the command does not have.
 */
export function readArguments(
  args: readonly string[],
  known: readonly string[],
): { words: string[]; options: string[] } {
  const options = args.filter((word) => word.startsWith('--'))
  const [unknown] = options.filter((option) => !known.includes(option))
  if (unknown !== undefined)
    throw new Error(`Unknown option ${unknown}. Options: ${known.join(', ') || 'none'}.`)
  return { words: args.filter((word) => !word.startsWith('--')), options }
}
