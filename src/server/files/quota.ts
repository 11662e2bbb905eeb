import { Failure } from '#server/http/failure.ts'
import type { FileStorage, Place } from '#server/outside/file-storage.ts'

/** In bytes. */
export type Limits = { file: number; customer: number }

export type Quota = {
  /**
   * Begins to count what comes in for a customer. `admit` is told how many bytes of the present file have come and
   * refuses with 413; `end` is called once, when nothing more comes.
   */
  begin: (
    customerSpace: Place,
  ) => Promise<{ admit: (bytes: number) => void; next: () => void; end: () => void }>
}

/**
 * Keeps files and customers within their limits. Uploads of the same customer that run side by side here count
 * together; those of another server count once they are published.
 */
export function makeQuota(storage: FileStorage, limits: Limits): Quota {
  const coming = new Map<string, number>()
  return {
    async begin(space) {
      const key = space.join('/')
      const used = await storage.usage(space)
      let earlier = 0
      let present = 0
      return {
        admit(bytes) {
          coming.set(key, (coming.get(key) ?? 0) + bytes - present)
          present = bytes
          if (bytes > limits.file) {
            throw new Failure(413, `A file may have at most ${inWords(limits.file)}.`)
          }
          if (used + (coming.get(key) ?? 0) > limits.customer) {
            throw new Failure(
              413,
              `All files of a customer may have ${inWords(limits.customer)} together, and these are too many. Delete some first.`,
            )
          }
        },
        next() {
          earlier += present
          present = 0
        },
        end() {
          const left = (coming.get(key) ?? 0) - earlier - present
          if (left > 0) coming.set(key, left)
          else coming.delete(key)
        },
      }
    },
  }
}

/** "2 GB", "500 MB". */
function inWords(bytes: number): string {
  const megabytes = Math.round(bytes / 1_048_576)
  return megabytes >= 1_024 && megabytes % 1_024 === 0 ? `${megabytes / 1_024} GB` : `${megabytes} MB`
}
