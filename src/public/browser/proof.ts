/** How long a press of the button waits for a proof. Without one, the form is sent all the same. */
const LONGEST_WAIT_MS = 10_000

/**
 * Starts the proof of work of a form when someone begins to fill it in, and puts it into the form. Nothing is requested or
 * sent for it. Browsers without workers, or pages without encryption, have none.
 * @returns waits for the proof
 */
export function proveWhileTyping(form: HTMLFormElement): () => Promise<void> {
  const { proof, proofWorker } = form.dataset
  if (proof === undefined || proofWorker === undefined) return () => Promise.resolve()
  let started: Promise<void> | null = null
  const start = (): Promise<void> => {
    started ??= solve(form, proof, proofWorker)
    return started
  }
  form.addEventListener('focusin', () => void start(), { once: true })
  return () => Promise.race([start(), waiting()])
}

async function solve(form: HTMLFormElement, proof: string, script: string): Promise<void> {
  const challenge: unknown = JSON.parse(proof)
  const solution = await work(challenge, script)
  const field = form.querySelector<HTMLInputElement>('input[data-proof]')
  if (solution === null || field === null) return
  field.value = JSON.stringify({ challenge, solution })
}

function work(challenge: unknown, script: string): Promise<unknown> {
  return new Promise((resolve) => {
    try {
      const worker = new Worker(script, { type: 'module' })
      const end = (solution: unknown): void => {
        worker.terminate()
        resolve(solution)
      }
      worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => end(data))
      worker.addEventListener('error', () => end(null))
      worker.postMessage(challenge, { transfer: [] })
    } catch {
      resolve(null)
    }
  })
}

function waiting(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LONGEST_WAIT_MS)
  })
}
