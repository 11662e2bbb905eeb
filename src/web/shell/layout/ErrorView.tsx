import { DEFAULT_FAILURE } from '#contract/answer.ts'

/**
 * A page that broke, or code that could not be fetched after a new release: a reload brings the new one. Plain, because
 * what draws the other pages may be what is missing. Inside the shell the way to other pages stays.
 */
export function ErrorView({ reset }: { reset: () => void }) {
  return (
    <div className="fc-broken" role="alert">
      <h1>This page stopped working</h1>
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
