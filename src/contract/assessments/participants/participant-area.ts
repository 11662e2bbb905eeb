/** The page that a link opens. The token follows in the fragment, which servers and referrers don't see. */
export const PARTICIPANTS_PAGE = '/participants'
/** A session ends this long after the last call. */
export const SESSION_IDLE_MINUTES = 120
