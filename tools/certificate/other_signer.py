"""Signs and verifies statements with the libraries of in-toto, to compare certile with them. Needs securesystemslib and
in-toto-attestation.

    other_signer.py verify ENVELOPE PUBLIC_KEY KEY_ID     prints the subject's name; exit code 1 if the signature is wrong
    other_signer.py sign STATEMENT PRIVATE_KEY KEY_ID     prints the envelope, in the form that certile reads
"""
import base64
import json
import sys
from pathlib import Path

from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key  # type: ignore[import-not-found]
from google.protobuf.json_format import Parse  # type: ignore[import-untyped]
from in_toto_attestation.v1 import statement_pb2  # type: ignore[import-not-found]
from in_toto_attestation.v1.statement import Statement  # type: ignore[import-not-found]
from securesystemslib.dsse import Envelope  # type: ignore[import-not-found]
from securesystemslib.exceptions import VerificationError  # type: ignore[import-not-found]
from securesystemslib.signer import CryptoSigner, SSlibKey  # type: ignore[import-not-found]

PAYLOAD_TYPE = "application/vnd.in-toto+json"


def verify(envelope_path, key_path, key_id):
    key = SSlibKey.from_crypto(load_pem_public_key(Path(key_path).read_bytes()), key_id)
    envelope = Envelope.from_dict(json.loads(Path(envelope_path).read_bytes()))
    try:
        envelope.verify([key], 1)
    except VerificationError as wrong:
        print(wrong, file=sys.stderr)
        return 1
    assert envelope.payload_type == PAYLOAD_TYPE
    statement = Statement.copy_from_pb(Parse(envelope.payload, statement_pb2.Statement()))
    statement.validate()
    print(statement.pb.subject[0].name)
    return 0


def sign(statement_path, key_path, key_id):
    private = load_pem_private_key(Path(key_path).read_bytes(), None)
    signer = CryptoSigner(private, SSlibKey.from_crypto(private.public_key(), key_id))
    envelope = Envelope(Path(statement_path).read_bytes(), PAYLOAD_TYPE, {})
    signature = envelope.sign(signer)
    print(json.dumps({"payload": base64.b64encode(envelope.payload).decode(), "payloadType": PAYLOAD_TYPE,
                      "signatures": [{"keyid": key_id, "sig": base64.b64encode(bytes.fromhex(signature.signature)).decode()}]},
                     separators=(",", ":")))
    return 0


if __name__ == "__main__":
    sys.exit({"verify": verify, "sign": sign}[sys.argv[1]](*sys.argv[2:]))
