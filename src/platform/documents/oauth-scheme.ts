interface OauthScheme {
  /** Origin of our own authorization server. */
  publicUrl: string;
  /** Who issues tokens instead of it. */
  issuer: string | undefined;
  /** What each scope allows. */
  scopes: Record<string, string>;
  /** How a token of our own is had and sent. */
  description: string;
}

/** The security scheme of access tokens: our flows, or where another issuer describes its own. */
export function oauthScheme({ publicUrl, issuer, scopes, description }: OauthScheme) {
  const tokenUrl = `${publicUrl}/oauth/token`;
  if (issuer === undefined)
    return {
      type: 'oauth2' as const,
      description,
      flows: {
        authorizationCode: {
          authorizationUrl: `${publicUrl}/oauth/authorize`,
          tokenUrl,
          refreshUrl: tokenUrl,
          scopes,
        },
        clientCredentials: { tokenUrl, scopes },
      },
    };
  return {
    type: 'openIdConnect' as const,
    description: `An access token of ${issuer}, sent as \`Authorization: Bearer <token>\`.`,
    openIdConnectUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
  };
}
