import { useEffect, useState } from 'react'
import { fetchBlob } from './file-manager.ts'

/** How a picture is fetched by its path; null if it can't be. */
export type LoadPicture = (path: string, signal: AbortSignal) => Promise<File | null>

/** Shown when a picture can't be loaded. */
export const BROKEN =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" width="240" height="160"%3E%3Crect width="240" height="160" fill="%238b9791"/%3E%3Cpath d="M90 50l60 60M150 50l-60 60" stroke="white" stroke-width="6"/%3E%3C/svg%3E'

/**
 * Object URLs of pictures by path, as they load: pictures require authentication, so a plain URL wouldn't work.
 * Revoked when the component unmounts.
 */
export function usePictures(
  paths: readonly string[],
  load: LoadPicture = fetchBlob,
): ReadonlyMap<string, string> {
  const [sources, setSources] = useState<ReadonlyMap<string, string>>(new Map())
  const [fetching] = useState(
    () => new Fetching(load, (path, src) => setSources((before) => new Map(before).set(path, src))),
  )
  const wanted = paths.join('\n')
  useEffect(() => fetching.want(wanted === '' ? [] : wanted.split('\n')), [fetching, wanted])
  useEffect(() => {
    fetching.begin()
    return () => fetching.end()
  }, [fetching])
  return sources
}

/** Limits parallel requests for a folder with hundreds of pictures. */
const AT_ONCE = 4
let going = 0
const waiting: (() => void)[] = []

/** Waits for a free slot. A canceled request keeps its place in the queue and passes the slot on. */
async function takePlace(): Promise<void> {
  if (going >= AT_ONCE) await new Promise<void>((free) => waiting.push(free))
  else going += 1
}

function givePlace(): void {
  const next = waiting.shift()
  if (next) next()
  else going -= 1
}

/** Fetches one picture when a slot is free; null if there is none or it is no longer needed. */
export async function fetchLimited(
  path: string,
  signal: AbortSignal,
  load: LoadPicture = fetchBlob,
): Promise<File | null> {
  await takePlace()
  try {
    return signal.aborted ? null : await load(path, signal)
  } finally {
    givePlace()
  }
}

/** Fetches each picture once and keeps its object URL until it ends. */
class Fetching {
  readonly #load: LoadPicture
  readonly #onSource: (path: string, src: string) => void
  readonly #asked = new Set<string>()
  readonly #urls: string[] = []
  #stop = new AbortController()

  constructor(load: LoadPicture, onSource: (path: string, src: string) => void) {
    this.#load = load
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
    const file = await fetchLimited(path, signal, this.#load).catch(() => null)
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
