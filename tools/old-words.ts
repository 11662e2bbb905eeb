/** A word or phrase that must not be used, and what to write instead. */
export type OldWord = { pattern: RegExp; better: string }

/** Not in texts that users read: screens, errors, emails, API descriptions. Add a line to extend the list. */
export const NOT_IN_TEXTS: readonly OldWord[] = [
  { pattern: /\banew\b/i, better: 'again' },
  { pattern: /\bwhoever\b/i, better: 'anyone who, users who' },
  { pattern: /\b(somebody|nobody)('s)?\b/i, better: 'a user, someone, no one, or name the role' },
  { pattern: /\bso many\b/i, better: 'N, or the number' },
  { pattern: /\breckon/i, better: 'calculate' },
  { pattern: /\bskins?\b/i, better: 'impersonation' },
  { pattern: /\bshelf\b/i, better: 'reference data' },
  { pattern: /\b(by (itself|themselves))\b/i, better: 'automatically' },
  { pattern: /\b(brings?|brought)\b/i, better: 'upload, receive, include' },
  { pattern: /\bstands?\b/i, better: 'is, or name the state' },
  { pattern: /\b(in line|lined up|lines up)\b/i, better: 'queued, stale' },
  { pattern: /\bcomes? to nothing\b/i, better: 'is not calculated' },
  { pattern: /\bwhence\b|\bthereby\b|\btherein\b/i, better: 'from, so, in it' },
  { pattern: /\bgoes by\b|\bcomes by\b/i, better: 'delivery method' },
  { pattern: /\bpass(ed)? (it |the value )?over\b/i, better: 'ignore' },
  { pattern: /\bheld back\b|\bholds? (it |this )?back\b/i, better: 'excluded' },
  { pattern: /\bfound out\b/i, better: 'detected' },
  { pattern: /\bmend(s|ed|ing)?\b/i, better: 'fix' },
  { pattern: /\be-mails?\b/i, better: 'email' },
  { pattern: /\bmails?\b(?! (server|handler|merge))/i, better: 'email' },
  { pattern: /\bcolours?\b|\bcolour(ed|ful)\b/i, better: 'color' },
  {
    pattern:
      /\b(licences?|programmes?|grey|travelled|cancelled|labelled|centres?|organis\w+|recognis\w+|neighbours?|behaviour|favourite)\b/i,
    better: 'American spelling',
  },
]

/** Texts that look like sentences and are none: stored keys, names of the system, columns of other products' files. */
export const ALLOWED_TEXTS: readonly RegExp[] = [
  /^(test|password) mails /,
  /^mail events$/,
  /user (named )?nobody\b/,
  /smtp:\/\//,
  /^(exteriorcolor|DealerId,|licence$)/,
  // Labels of forms in Spanish, French and German.
  /^correo\|/,
  // German.
  /^Geben Sie eine E-Mail-Adresse (ein|oder eine Telefonnummer ein)/,
  /^E-Mail-Adresse oder Telefonnummer$/,
]

/** Not in code and comments either. */
export const NOT_IN_CODE: readonly OldWord[] = [
  { pattern: /\banew\b/i, better: 'again' },
  { pattern: /\bwhoever\b/i, better: 'anyone who, users who' },
  { pattern: /\bso many\b/i, better: 'N, or the number' },
  { pattern: /\breckon(s|ed|ing)?\b/i, better: 'calculate' },
  { pattern: /\bin (somebody's|whose|another's) skin\b/i, better: 'impersonating' },
  {
    pattern: /\b(genericColour|interiorColour|generic_colour)\b/,
    better: 'genericColor, interiorColor',
  },
  {
    pattern:
      /feed_arrivals|feedArrivals|FeedArrival|\b(row_print|rowPrint|comes_itself|comesItself|applies_itself|appliesItself|byItself|leaveOut|bringFeed)\b/,
    better: 'feed_deliveries, row_fingerprint, is_automatic, auto_apply, automatic, skipRule, importFeed',
  },
  { pattern: /\bcancell(ed|ing)\b/, better: 'canceled, canceling' },
  { pattern: /\b(kept_count|keptCount|holdReasons)\b/, better: 'not_undone_count, reviewReasons' },
  {
    pattern:
      /channel_held|channelHeld|\b(sent_offered|sentOffered|asked_(by|at|name)|asked(By|At|Name)|notLive)\b|\.said\b|\bsaid:/,
    better: 'channel_exclusions, sent_count, requested_by, notPublishedReason, notForSale, message',
  },
  { pattern: /\b(isLookOnly|is_look_only|mailTo|is_own)\b/, better: 'isViewOnly, codeEmail, is_built_in' },
  {
    pattern: /calculation_?[rR]outes|\b(four_eyes|fourEyes|route_id)\b|\blicence\b(?!')/,
    better: 'calculation_lines, two_person_approval, line_id, license',
  },
  {
    pattern: /\btype (Told|Said|Asked|Wanted|Given|Brought|Begun|Taken|Chosen|Found|Known)\b/,
    better: 'a noun: SaveResult, ImportRequest, StoredFile',
  },
  {
    pattern: /\b(secondFactor\.takeAway|feedRuns\.mend|invalidateVehicles)\b/,
    better: 'secondFactor.reset, feedRuns.fixRow, `changes` of the endpoint',
  },
  {
    pattern: /\btype (Kept|Held|Shown|Written|Seen|Done|Put|Got)\b/,
    better: 'a noun: CachedPhoto, BoardView, AppliedMutation',
  },
  {
    pattern:
      /\b(RouteKey|makeRoutes|readShelf|lineUp(Sources)?|settle(All|Whole)|makeNeighbourhood|holdName|(claim|renew)Turn|DueTurn|holdDue|(run|deliver|bring|fetch)Soon|isPlannedAnew)\b/,
    better: 'CalculationLine, referenceData, markSourcesStale, recalculateStale, lease, debounced',
  },
  {
    pattern:
      /\b(refuse(InSkin|Rooftop|Narrow|Foreign)|isKeptAbove|OtpWay|waysOf|takeAway|findUnreached|remindSilent|tellOwner)\b/,
    better: 'requireCustomerReach, assertReferencesExist, OtpChannel, resetSecondFactor, sendReminders',
  },
  {
    pattern:
      /\b(applyItself|followRun|takeIn|BringButton|BringingFile|MendForm|mendRow|whyHeld|tellWorth|WORTHS|VehicleOffer|LIKENESS|PlaceFields)\b/,
    better: 'autoApply, ingest, UploadButton, fixRow, reviewReasons, valuation, VehicleListing, similarity',
  },
  {
    pattern:
      /\b(keep(User|Vehicle|Lead|Questionnaire)|forget(Users|Factors|Panels)|beginWork|tellWork|putAway|sendUp|whilePresent|SignInOver|BareFrame|DialogStand|FaceSwitch|toBuilderFace|AskedSources|GoneMonths|NeedsLookCard|WorkHere|atOnce|findBreaches)\b/,
    better: 'setUserInCache, startTask, enqueueUpload, ReauthenticateDialog, AuthLayout, concurrently',
  },
]
