const pages = new Set<symbol>()
const listeners = new Set<() => void>()

/** A page keeps what is entered while there is no connection, and says so itself. Returns how to end that. */
export function beginOfflineWork(): () => void {
  const page = Symbol('page')
  const tell = () => listeners.forEach((listener) => listener())
  pages.add(page)
  tell()
  return () => {
    pages.delete(page)
    tell()
  }
}

export function followOfflineWork(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether the open page keeps what is entered. */
export const isOfflineWork = (): boolean => pages.size > 0

export function followConnection(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
