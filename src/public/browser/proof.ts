/** How long a press of the button waits for a proof. Without one, the form is sent all the same, and the dealer has to release it. */
const LONGEST_WAIT_MS = 60_000
/** The server accepts a challenge for four hours. */
const LIFETIME_MS = 3 * 3_600_000
const REQUEST_MS = 10_000

/** Proves what a form's page sends. */
export type Prover = Readonly<{
  /** Adds the proof, if there can be one; false if there is no connection to ask for a challenge. */
  addTo: (body: URLSearchParams | FormData) => Promise<boolean>
  /** The proof counts for what was sent: other content needs another one. */
  spend: () => void
}>

const NO_PROVER: Prover = { addTo: () => Promise.resolve(true), spend: () => {} }

/**
 * Starts the proof of work of a form when someone begins to fill it in. Nothing is requested or sent before the button is
 * pressed. Browsers without workers, and pages without encryption, say that they can't have one.
 */
export function proveWhileTyping(form: HTMLFormElement): Prover {
  const { proof: first, proofWorker } = form.dataset
  if (first === undefined || proofWorker === undefined) return NO_PROVER
  if (!window.isSecureContext || !('Worker' in window)) {
    sayThatNoneIsPossible(form)
    return NO_PROVER
  }
  let challenge: string | null = first
  let since = Date.now()
  let started: Promise<string | null> | null = null
  const start = (text: string): Promise<string | null> => {
    started ??= solve(text, proofWorker)
    return started
  }
  const isOld = (): boolean => Date.now() - since > LIFETIME_MS
  const begin = (): void => {
    if (challenge !== null && !isOld()) void start(challenge)
  }
  form.addEventListener('focusin', begin, { once: true })
  return {
    async addTo(body) {
      if (challenge === null || isOld()) {
        challenge = await requestChallenge(form)
        if (challenge === null) return false
        since = Date.now()
        started = null
      }
      const proof = await Promise.race([start(challenge), waiting()])
      const { name = '' } = form.querySelector<HTMLInputElement>('input[data-proof]') ?? {}
      body.set(name, proof ?? '')
      return true
    },
    spend() {
      challenge = null
    },
  }
}

function sayThatNoneIsPossible(form: HTMLFormElement): void {
  const input = document.createElement('input')
  input.type = 'hidden'
  input.name = form.querySelector<HTMLInputElement>('input[data-proof]')?.dataset['unproven'] ?? ''
  input.value = '1'
  form.append(input)
}

/** Null without a connection. */
async function requestChallenge(form: HTMLFormElement): Promise<string | null> {
  const token = form.querySelector<HTMLInputElement>('input[data-token]')?.value ?? ''
  try {
    const response = await fetch(`/site/challenge?token=${encodeURIComponent(token)}`, {
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    return response.ok ? await response.text() : null
  } catch {
    return null
  }
}

async function solve(text: string, script: string): Promise<string | null> {
  const challenge: unknown = JSON.parse(text)
  const solution = await work(challenge, script)
  return solution === null ? null : JSON.stringify({ challenge, solution })
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

function waiting(): Promise<null> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), LONGEST_WAIT_MS)
  })
}
