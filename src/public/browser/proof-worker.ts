// Solves the proof of work of a form, away from the page so that typing stays smooth. It sends nothing to the server.
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import type { Challenge } from 'altcha-lib/types'

const LONGEST_MS = 60_000

self.addEventListener('message', ({ data: challenge }: MessageEvent<Challenge>) => {
  void solveChallenge({ challenge, deriveKey, timeout: LONGEST_MS })
    .catch(() => null)
    .then((solution) => self.postMessage(solution, { transfer: [] }))
})
