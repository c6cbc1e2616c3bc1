"""Mail and folders of texts, as a stream of Arrow record batches."""

from candide.data.mail.documents import Documents
from candide.data.mail.message import as_text

__all__ = ["Documents", "as_text"]
