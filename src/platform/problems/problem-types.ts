/**
 * Every problem type there is. The slug ends its URI, `{PUBLIC_URL}/problems/{slug}`, where `title`
 * and `explanation` are published.
 */
export const PROBLEM_TYPES = {
  'invalid-request': {
    status: 400,
    title: 'The request is not valid',
    explanation:
      'A parameter, the body or the address does not have the form that this operation takes. The member `errors` names every fault: `pointer` leads into the body (RFC 6901), `parameter` names a path, query or header parameter. Nothing was changed; correct what is named and send the request again.',
  },
  'malformed-request': {
    status: 400,
    title: 'The request cannot be read',
    explanation:
      'What arrived does not follow HTTP/1.1: the first line, a header or the framing of the body is broken, or Host is missing. Nothing was changed.',
  },
  'malformed-body': {
    status: 400,
    title: 'The body cannot be read',
    explanation:
      'The body is not in the format that its Content-Type says: a quote, comma or bracket is missing, it ends too early, or it is not UTF-8. Nothing was changed.',
  },
  'malformed-url': {
    status: 400,
    title: 'The address cannot be read',
    explanation:
      'The path or the query has a percent sign that two hexadecimal digits do not follow, or an encoding that is not UTF-8. Write a literal percent sign as %25.',
  },
  'payment-amount-mismatch': {
    status: 400,
    title: 'The amount is not the price of the booking',
    explanation:
      'A payment has the `price` and `currency` of its booking, no more and no less. Nothing was charged. Read both from the booking and send them.',
  },
  'wrong-credentials': {
    status: 400,
    title: 'Invalid username/password supplied',
    explanation:
      'No user has this username and this password. Which of the two is wrong is not told. Check both; a user that was made without a password cannot log in.',
  },
  unauthorized: {
    status: 401,
    title: 'Credentials are missing or not valid',
    explanation:
      'The operation needs credentials and got none, or got some that are wrong, expired or revoked. The header WWW-Authenticate says which scheme is wanted and where a token is had.',
  },
  forbidden: {
    status: 403,
    title: 'The credentials do not allow this',
    explanation:
      'The credentials are valid, but do not cover this operation. For a bearer token, WWW-Authenticate names the scope that is missing: ask for a token with it.',
  },
  'not-found': {
    status: 404,
    title: 'There is nothing here',
    explanation:
      'No operation has this path, or the resource does not exist, no longer exists, or belongs to somebody else.',
  },
  'method-not-allowed': {
    status: 405,
    title: 'The method is not allowed here',
    explanation: 'The path exists, but not with this method. The header Allow lists those it has.',
  },
  'not-acceptable': {
    status: 406,
    title: 'No acceptable format',
    explanation: 'The operation cannot answer in any format that the header Accept allows.',
  },
  'request-timeout': {
    status: 408,
    title: 'The request took too long to arrive',
    explanation: 'The connection was closed before the whole request had arrived. Send it again.',
  },
  'trip-sold-out': {
    status: 409,
    title: 'The trip is sold out',
    explanation:
      'Every seat is held or booked. A hold that is not paid frees its seat when it expires, so it can help to try again later, or take another trip.',
  },
  'trip-departed': {
    status: 409,
    title: 'The trip has departed',
    explanation: 'A trip can be booked until its `departure_time`.',
  },
  'bicycle-not-allowed': {
    status: 409,
    title: 'The trip takes no bicycles',
    explanation:
      'List trips with `bicycles=true` to find those that do, or book without `has_bicycle`.',
  },
  'dog-not-allowed': {
    status: 409,
    title: 'The trip takes no dogs',
    explanation: 'List trips with `dogs=true` to find those that do, or book without `has_dog`.',
  },
  'booking-expired': {
    status: 409,
    title: 'The booking has expired',
    explanation:
      'Its hold ended at `expires_at` and the seat is free for others. Nothing was charged. Make a new booking.',
  },
  'booking-already-paid': {
    status: 409,
    title: 'The booking is paid already',
    explanation: 'A booking is paid once. Nothing was charged this time.',
  },
  'booking-confirmed': {
    status: 409,
    title: 'The booking is confirmed',
    explanation: 'Only a booking that is held or expired can be deleted; this one has been paid.',
  },
  'subscription-disabled': {
    status: 409,
    title: 'The subscription is disabled',
    explanation:
      'Nothing is sent to a subscription that is disabled, so there is nothing to test or repeat. Its member `disabled` says since when and why. PATCH it with `enabled: true` first.',
  },
  'too-many-subscriptions': {
    status: 409,
    title: 'There are too many subscriptions',
    explanation:
      'An owner has at most 50 subscriptions to one kind of event. Delete one that is not needed, or give one target several tasks.',
  },
  'booking-not-confirmed': {
    status: 409,
    title: 'The booking is not confirmed',
    explanation:
      'A ticket exists once its booking is paid. Pay for a booking that is held; one that has expired stays without a ticket.',
  },
  'id-taken': {
    status: 409,
    title: 'The id is taken',
    explanation:
      'Something with this id exists already, made by you, by somebody else, or numbered by the server. Nothing was changed. Send another id, or none: the server then gives one that is free.',
  },
  'username-taken': {
    status: 409,
    title: 'The username is taken',
    explanation:
      'Usernames are compared without case, and another user has this one. Nothing was changed; choose another.',
  },
  'too-many-images': {
    status: 409,
    title: 'The pet has as many images as it can',
    explanation:
      'A pet takes 20 uploaded images, and 100 entries in `photoUrls` altogether. Update the pet without those that are no longer wanted: an image whose address is gone from `photoUrls` is deleted.',
  },
  'name-taken': {
    status: 409,
    title: 'The name is taken',
    explanation:
      'Something of this kind has that name already; where the names of a kind are compared without case and outer space, its document says so. Nothing was made. Choose another name, or use what is there.',
  },
  'idempotency-key-in-use': {
    status: 409,
    title: 'The first request with this key is still running',
    explanation:
      'Another request with the same Idempotency-Key has not ended. Wait as long as Retry-After says and send it again: it then gets the stored answer.',
  },
  'precondition-failed': {
    status: 412,
    title: 'The resource has changed',
    explanation:
      'The entity tag in If-Match is not that of the resource as it is now. Nothing was changed. Read the resource again, and decide anew.',
  },
  'body-too-large': {
    status: 413,
    title: 'The body is too large',
    explanation: 'The body is larger than the operation takes. Nothing was changed.',
  },
  'uri-too-long': {
    status: 414,
    title: 'A part of the path is too long',
    explanation: 'No identifier of this service is that long.',
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body has an unsupported format',
    explanation: 'Send the body in a format that the operation lists, and say so in Content-Type.',
  },
  'range-not-satisfiable': {
    status: 416,
    title: 'There is no such part',
    explanation:
      'The header Range asks for bytes behind the end. Content-Range says how many there are.',
  },
  'idempotency-key-reused': {
    status: 422,
    title: 'The key was used for another request',
    explanation:
      'An Idempotency-Key stands for one request. This one came before with another body. Make a new key for a new request.',
  },
  'too-many-requests': {
    status: 429,
    title: 'Too many requests',
    explanation:
      'The quota of this window is used up. The header Retry-After says in how many seconds it is full again.',
  },
  'headers-too-large': {
    status: 431,
    title: 'The request headers are too large',
    explanation: 'All headers together are larger than 16 KiB. Send fewer or shorter ones.',
  },
  'internal-error': {
    status: 500,
    title: 'Something went wrong here',
    explanation:
      'The fault is ours. The header X-Request-Id names the request in our log; send it along when you report this.',
  },
  unavailable: {
    status: 503,
    title: 'The service is not available now',
    explanation:
      'The database is away, or the process is stopping. Nothing was lost that was acknowledged. Try again after as many seconds as Retry-After says.',
  },
} as const;

export type ProblemSlug = keyof typeof PROBLEM_TYPES;
