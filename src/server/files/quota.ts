import { Failure } from '#server/http/failure.ts'
import type { FileStorage, StoragePath } from '#server/outside/file-storage.ts'

/** In bytes. */
export type Limits = { file: number; customer: number }

export type Quota = {
  /**
   * Starts counting an upload of a customer. `admit` takes the bytes of the current file received so far and throws 413;
   * `end` must be called once, after the last file.
   */
  begin: (
    storage: FileStorage,
    customerSpace: StoragePath,
  ) => Promise<{ admit: (bytes: number) => void; next: () => void; end: () => void }>
}

/**
 * Enforces the limits per file and per customer. Concurrent uploads of a customer on this server count together; those on
 * other servers count once they are published.
 */
export function makeQuota(limits: Limits): Quota {
  const pending = new Map<string, number>()
  return {
    async begin(storage, space) {
      const key = space.join('/')
      const used = await storage.usage(space)
      let earlier = 0
      let current = 0
      return {
        admit(bytes) {
          pending.set(key, (pending.get(key) ?? 0) + bytes - current)
          current = bytes
          if (bytes > limits.file) {
            throw new Failure(413, `A file can be at most ${formatLimit(limits.file)}.`)
          }
          if (used + (pending.get(key) ?? 0) > limits.customer) {
            throw new Failure(
              413,
              `The storage limit of ${formatLimit(limits.customer)} is reached. Delete some files first.`,
            )
          }
        },
        next() {
          earlier += current
          current = 0
        },
        end() {
          const left = (pending.get(key) ?? 0) - earlier - current
          if (left > 0) pending.set(key, left)
          else pending.delete(key)
        },
      }
    },
  }
}

/** "2 GB", "500 MB". */
function formatLimit(bytes: number): string {
  const megabytes = Math.round(bytes / 1_048_576)
  return megabytes >= 1_024 && megabytes % 1_024 === 0 ? `${megabytes / 1_024} GB` : `${megabytes} MB`
}
