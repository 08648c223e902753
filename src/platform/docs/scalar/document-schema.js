// In place of the schemas of whole documents, which Scalar builds as the page starts, to warn of
// mistakes and to complete what a document leaves out: ours are generated and linted. What it holds
// input to as well (servers, security) is as it was.
import { Type } from '@scalar/typebox';
import { OAuthFlowsObjectSchemaDefinition } from '@scalar/workspace-store/schemas/v3.2/strict/oauthflows';
import { REF_DEFINITIONS } from '@scalar/workspace-store/schemas/v3.2/strict/ref-definitions';
import { SecurityRequirementObjectSchemaDefinition } from '@scalar/workspace-store/schemas/v3.2/strict/security-requirement';
import { SecuritySchemeObjectSchemaDefinition } from '@scalar/workspace-store/schemas/v3.2/strict/security-scheme';
import { ServerObjectSchemaDefinition } from '@scalar/workspace-store/schemas/v3.2/strict/server';
import { ServerVariableObjectSchemaDefinition } from '@scalar/workspace-store/schemas/v3.2/strict/server-variable';

const schemas = Type.Module({
  [REF_DEFINITIONS.OAuthFlowsObject]: OAuthFlowsObjectSchemaDefinition,
  [REF_DEFINITIONS.SecurityRequirementObject]: SecurityRequirementObjectSchemaDefinition,
  [REF_DEFINITIONS.SecuritySchemeObject]: SecuritySchemeObjectSchemaDefinition,
  [REF_DEFINITIONS.ServerObject]: ServerObjectSchemaDefinition,
  [REF_DEFINITIONS.ServerVariableObject]: ServerVariableObjectSchemaDefinition,
});
export const SecurityRequirementObjectSchema = schemas.Import('SecurityRequirementObject');
export const SecuritySchemeObjectSchema = schemas.Import('SecuritySchemeObject');
export const ServerObjectSchema = schemas.Import('ServerObject');
export const OpenAPIDocumentSchema = Type.Object({});
export const SchemaObjectSchema = Type.Object({});
