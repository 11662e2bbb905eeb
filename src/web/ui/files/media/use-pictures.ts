import { useEffect, useState } from 'react'
import { fetchBlob } from './file-manager.ts'

/** What stands where a picture could not be had. */
const BROKEN =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="240" height="160"%3E%3Crect width="240" height="160" fill="%238b9791"/%3E%3Cpath d="M90 50l60 60M150 50l-60 60" stroke="white" stroke-width="6"/%3E%3C/svg%3E'

/**
 * Addresses of pictures by their paths, as they come: they are behind the sign-in, so an address alone would not show
 * them. The browser lets go of them when the component goes.
 */
export function usePictures(paths: readonly string[]): ReadonlyMap<string, string> {
  const [sources, setSources] = useState<ReadonlyMap<string, string>>(new Map())
  const [fetching] = useState(
    () => new Fetching((path, src) => setSources((before) => new Map(before).set(path, src))),
  )
  const wanted = paths.join('\n')
  useEffect(() => fetching.want(wanted === '' ? [] : wanted.split('\n')), [fetching, wanted])
  useEffect(() => {
    fetching.begin()
    return () => fetching.end()
  }, [fetching])
  return sources
}

/** A folder of hundreds of pictures must not ask for all of them in one moment. */
const AT_ONCE = 4
let going = 0
const waiting: (() => void)[] = []

/** Waits for a place. Whoever gives up keeps its turn, and gives it on when it comes. */
async function takePlace(): Promise<void> {
  if (going >= AT_ONCE) await new Promise<void>((free) => waiting.push(free))
  else going += 1
}

function givePlace(): void {
  const next = waiting.shift()
  if (next) next()
  else going -= 1
}

/** One picture, when its turn comes; null where it cannot be had, or is not wanted any more. */
export async function fetchLimited(path: string, signal: AbortSignal): Promise<File | null> {
  await takePlace()
  const file = signal.aborted ? null : await fetchBlob(path, signal)
  givePlace()
  return file
}

/** Fetches each picture once and keeps its address until it ends. */
class Fetching {
  readonly #onSource: (path: string, src: string) => void
  readonly #asked = new Set<string>()
  readonly #urls: string[] = []
  #stop = new AbortController()

  constructor(onSource: (path: string, src: string) => void) {
    this.#onSource = onSource
  }

  begin(): void {
    if (this.#stop.signal.aborted) this.#stop = new AbortController()
  }

  want(paths: readonly string[]): void {
    for (const path of paths) {
      if (this.#asked.has(path)) continue
      this.#asked.add(path)
      void this.#fetch(path, this.#stop.signal)
    }
  }

  end(): void {
    this.#stop.abort()
    this.#asked.clear()
    for (const url of this.#urls.splice(0)) URL.revokeObjectURL(url)
  }

  async #fetch(path: string, signal: AbortSignal): Promise<void> {
    const file = await fetchLimited(path, signal)
    if (signal.aborted) return
    if (file === null) {
      this.#onSource(path, BROKEN)
      return
    }
    const url = URL.createObjectURL(file)
    this.#urls.push(url)
    this.#onSource(path, url)
  }
}
