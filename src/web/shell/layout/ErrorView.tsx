import { DEFAULT_FAILURE } from '#contract/answer.ts'

/**
 * Shown when a page crashes, or its code can't be loaded after a new release: reloading gets the new one. Plain
 * HTML, because the UI code may be what failed. The navigation stays available.
 */
export function ErrorView({ reset }: { reset: () => void }) {
  return (
    <div className="fc-broken" role="alert">
      <h1>Something went wrong on this page</h1>
      <p>{DEFAULT_FAILURE}</p>
      <p>
        <button type="button" className="fc-plain-button" onClick={reset}>
          Try again
        </button>
        <button type="button" className="fc-plain-button" onClick={() => location.reload()}>
          Reload
        </button>
      </p>
    </div>
  )
}
