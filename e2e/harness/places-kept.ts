import type { Page } from 'playwright-core'

/** The forms whose text the browser keeps. It writes right after each change, but a test can be faster. */
export const placesKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string[]>((done) => {
        const opening = indexedDB.open('forecourt-typed')
        opening.onsuccess = () => {
          const reading = opening.result.transaction('forms').objectStore('forms').getAll()
          reading.onsuccess = () => {
            opening.result.close()
            done(reading.result.map(({ place }) => String(place)))
          }
        }
      }),
  )
